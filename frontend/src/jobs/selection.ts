/** A selection over a list that is never fully loaded: `all` means every job that matches the filter. */
export interface Selection {
  all: boolean;
  ids: ReadonlySet<string>;
}

export const none: Selection = { all: false, ids: new Set() };
export const everything: Selection = { all: true, ids: new Set() };
export const only = (id: string): Selection => ({ all: false, ids: new Set([id]) });

export const isSelected = (selection: Selection, id: string) => selection.all || selection.ids.has(id);
export const size = (selection: Selection, total: number) => (selection.all ? total : selection.ids.size);

/** Taking one out of "all" leaves the others that are loaded: the server knows no "all but these". */
export function toggle(selection: Selection, id: string, loadedIds: () => readonly string[]): Selection {
  const ids = new Set(selection.all ? loadedIds() : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { all: false, ids };
}

export function addRange(selection: Selection, rangeIds: readonly string[]): Selection {
  const ids = new Set(selection.all ? [] : selection.ids);
  for (const id of rangeIds) ids.add(id);
  return { all: false, ids };
}
