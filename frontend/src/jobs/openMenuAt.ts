/** The one menu of the list listens for this event; it opens where the element is. */
export function openMenuAt(element: HTMLElement) {
  const box = element.getBoundingClientRect();
  element.dispatchEvent(
    new MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: box.left + Math.min(box.width / 2, 120),
      clientY: box.top + box.height / 2,
      button: 2,
    }),
  );
}
