import type { KeyboardEvent, RefObject } from 'react';
import type { JobList } from './jobList';
import { openMenuAt } from './openMenuAt';
import { addRange, everything, isSelected, none, only, type Selection, size, toggle } from './selection';
import type { Row } from './useJobList';

interface GridKeys {
  list: JobList<Row>;
  total: number;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  openId: string | null;
  onOpen: (id: string | null) => void;
  onContext: (id: string) => void;
  onAction: (action: 'STOP' | 'RERUN', id: string) => void;
  active: number;
  moveTo: (index: number) => void;
  /** Where a range starts. */
  anchor: RefObject<string | null>;
  pageRows: number;
}

/** The grid's keys. */
export function useGridKeys(grid: GridKeys) {
  const { list, total, selection, onSelect, openId, onOpen, active, moveTo, anchor, pageRows } = grid;
  const last = list.length - 1;
  const activeId = list.idAt(active);

  const steps: Record<string, number> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    PageDown: active + pageRows,
    PageUp: active - pageRows,
    Home: 0,
    End: last,
  };

  const step = (event: KeyboardEvent) => {
    const wanted = steps[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (wanted === undefined || last < 0) return false;
    const index = Math.max(0, Math.min(last, wanted));
    moveTo(index);
    if (event.shiftKey) {
      const start = anchor.current === null ? active : Math.max(0, list.indexOf(anchor.current));
      onSelect(addRange(none, list.idsBetween(start, index)));
    } else {
      const id = list.idAt(index);
      anchor.current = id ?? null;
      if (openId !== null && id) onOpen(id);
    }
    return true;
  };

  const press = (event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((event.ctrlKey || event.metaKey) && key === 'a') {
      onSelect(everything);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (step(event)) return true;
    if (key === 'Escape') {
      if (size(selection, total) > 0) onSelect(none);
      else if (openId !== null) onOpen(null);
      else return false;
      return true;
    }
    if (activeId === undefined) return false;
    if (key === 'Enter') onOpen(activeId);
    else if (key === 'x' || key === ' ') {
      anchor.current = activeId;
      onSelect(toggle(selection, activeId, list.allIds));
    } else if (key === 'ContextMenu' || (event.shiftKey && key === 'F10')) {
      if (!isSelected(selection, activeId) && size(selection, total) > 1) onSelect(only(activeId));
      grid.onContext(activeId);
      const element = document.getElementById(`job-${activeId}`);
      if (element) openMenuAt(element);
    } else if (key === 's' || key === 'r') grid.onAction(key === 's' ? 'STOP' : 'RERUN', activeId);
    else return false;
    return true;
  };

  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget && /^(INPUT|BUTTON|A)$/.test((event.target as HTMLElement).tagName))
      return;
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
