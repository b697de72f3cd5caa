/** Whether a key press belongs to a text field, a menu or a dialog rather than to the page. */
export function isTyping(event: KeyboardEvent | React.KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target) return false;
  if (target.isContentEditable) return true;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return (target as HTMLInputElement).type !== 'checkbox';
  return target.closest('[role="menu"], [role="dialog"], [role="listbox"]') !== null;
}

export const hasModifier = (event: KeyboardEvent | React.KeyboardEvent) =>
  event.ctrlKey || event.metaKey || event.altKey;
