import { stripAnsi } from './ansi';
import type { Line } from './store';

/** A place in the log: a line's number and how many characters of its text come before. */
export interface Place {
  line: number;
  offset: number;
}

/** Where in the log a point of the page lies; null outside its lines. */
export function placeOf(box: Element, node: Node | null, offset: number): Place | null {
  const element = node instanceof Element ? node : node?.parentElement;
  const row = element?.closest<HTMLElement>('[data-line]');
  if (!node || !row || !box.contains(row)) return null;
  const line = Number(row.dataset.line);
  const text = row.lastElementChild;
  if (!text?.contains(node)) return { line, offset: 0 };
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(node, offset);
  return { line, offset: before.toString().length };
}

/** Both ends of what is selected in the log, as the reader drew it; null when nothing is, or not only there. */
export function selectedEnds(box: Element): [Place, Place] | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return null;
  const anchor = placeOf(box, selection.anchorNode, selection.anchorOffset);
  const focus = placeOf(box, selection.focusNode, selection.focusOffset);
  return anchor && focus ? [anchor, focus] : null;
}

/** The text between two places, also of lines that are not in the page now: as shown, without numbers, times and colours. */
export function textBetween(lines: readonly Line[], ends: [Place, Place], indexOf: (line: number) => number): string {
  const byIndex = ends.map((end) => ({ index: indexOf(end.line), offset: end.offset }));
  byIndex.sort((a, b) => a.index - b.index || a.offset - b.offset);
  const [from, to] = byIndex as [{ index: number; offset: number }, { index: number; offset: number }];
  const texts: string[] = [];
  for (let i = Math.max(0, from.index); i <= Math.min(lines.length - 1, to.index); i++) {
    const text = stripAnsi(lines[i]?.message ?? '');
    texts.push(text.slice(i === from.index ? from.offset : 0, i === to.index ? to.offset : undefined));
  }
  return texts.join('\n');
}
