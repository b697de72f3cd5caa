import { memo } from 'react';
import type { Line } from './store';

const PLACES = 240;

/** Where in the list warnings and errors lie, the worst of each place: one character a place. */
export function marksOf(lines: readonly Line[], newestFirst: boolean): string {
  const places = new Array<string>(PLACES).fill(' ');
  let any = false;
  lines.forEach((line, i) => {
    if (line.level === 'INFO') return;
    const at = newestFirst ? lines.length - 1 - i : i;
    const place = Math.min(PLACES - 1, Math.floor((at / lines.length) * PLACES));
    if (places[place] !== 'E') places[place] = line.level === 'ERROR' ? 'E' : 'W';
    any = true;
  });
  return any ? places.join('') : '';
}

/** Small marks along the scroll bar. */
export const MarkRail = memo(function MarkRail({ marks }: { marks: string }) {
  if (marks === '') return null;
  return (
    <div aria-hidden className="pointer-events-none absolute inset-y-0 right-0 z-2 w-1.5">
      {[...marks].map((mark, i) =>
        mark === ' ' ? null : (
          <i
            key={i}
            className={
              mark === 'E' ? 'absolute right-0 h-0.5 w-1.5 bg-danger' : 'absolute right-0 h-0.5 w-1 bg-warning'
            }
            style={{ top: `${(i / PLACES) * 100}%` }}
          />
        ),
      )}
    </div>
  );
});
