import { type ClipboardEvent, type RefObject, useEffect, useState } from 'react';
import { selectedEnds, textBetween } from './selection';
import type { Line } from './store';

interface LogSelection {
  /** The lines the selection begins and ends in: they stay in the page, else the browser forgets the selection. */
  ends: readonly number[];
  onCopy: (event: ClipboardEvent) => void;
  selectAll: () => void;
}

/** What the reader has selected survives new lines and scrolling, and is copied whole. */
export function useLogSelection(
  box: RefObject<HTMLElement | null>,
  shown: () => readonly Line[],
  indexOf: (line: number) => number,
): LogSelection {
  const [ends, setEnds] = useState<readonly number[]>([]);
  useEffect(() => {
    const read = () => {
      const places = box.current ? selectedEnds(box.current) : null;
      const next = places ? places.map((place) => place.line) : [];
      setEnds((old) => (String(old) === String(next) ? old : next));
    };
    document.addEventListener('selectionchange', read);
    return () => document.removeEventListener('selectionchange', read);
  }, [box]);

  const onCopy = (event: ClipboardEvent) => {
    const places = box.current ? selectedEnds(box.current) : null;
    if (!places) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', textBetween(shown(), places, indexOf));
  };

  const selectAll = () => {
    const lines = shown();
    const first = lines[0]?.number;
    const last = lines.at(-1)?.number;
    if (first === undefined || last === undefined) return;
    setEnds([first, last]);
    // Both ends must be in the page before they can be selected.
    requestAnimationFrame(() => {
      const text = (line: number) => box.current?.querySelector(`[data-line="${line}"]`)?.lastElementChild;
      const [from, to] = [text(first), text(last)];
      if (from && to) document.getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length);
    });
  };
  return { ends, onCopy, selectAll };
}
