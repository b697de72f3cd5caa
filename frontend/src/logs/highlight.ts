import { parseAnsi, type Segment } from './ansi';

export interface Piece extends Segment {
  hit: boolean;
}

let kept: { text: string; pattern: RegExp } | null = null;

/** Case folding one character for one, so that places in the pattern's matches are places in the text. */
function patternOf(text: string): RegExp {
  if (kept?.text !== text) kept = { text, pattern: new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi') };
  return kept.pattern;
}

/** A line in pieces of one look each, cut where a match begins or ends: a match may run across colours. */
export function piecesOf(message: string, wanted: string): Piece[] {
  const segments = parseAnsi(message);
  const hits = wanted
    ? [
        ...segments
          .map((s) => s.text)
          .join('')
          .matchAll(patternOf(wanted)),
      ]
    : [];
  if (hits.length === 0) return segments.map((s) => ({ ...s, hit: false }));
  const edges = hits.flatMap((hit) => [hit.index, hit.index + hit[0].length]);
  const pieces: Piece[] = [];
  let at = 0;
  let edge = 0;
  for (const segment of segments) {
    const end = at + segment.text.length;
    let from = at;
    while (from < end) {
      while (edge < edges.length && (edges[edge] as number) <= from) edge++;
      const to = Math.min(end, edges[edge] ?? end);
      // Between an even and an odd edge lies a match.
      pieces.push({ ...segment, text: segment.text.slice(from - at, to - at), hit: edge % 2 === 1 });
      from = to;
    }
    at = end;
  }
  return pieces;
}
