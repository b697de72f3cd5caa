import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { indexFrom } from './filter';
import type { Line } from './store';

const LINE = 18;
/** Near enough to an end to load what lies beyond. */
const NEAR = 600;

interface LogScroll {
  box: RefObject<HTMLDivElement | null>;
  view: Virtualizer<HTMLDivElement, Element>;
  lines: readonly Line[];
  /** Grows with every change of the lines. */
  version: number;
  newestFirst: boolean;
  /** The newest end is held. */
  follow: boolean;
  onFollow: (follow: boolean) => void;
  /** The last of these lines is the last of the log, so that being there means following. */
  atEnd: boolean;
  onNearOldest: () => void;
  onNearNewest: () => void;
}

/**
 * Keeps the newest end in sight while following; otherwise keeps what is read where it is, whatever comes in or goes above it.
 * A reader who scrolls away stops following, one who comes back to the newest line follows again.
 */
export function useLogScroll(scroll: LogScroll) {
  const { box, view, lines, version, newestFirst, follow } = scroll;
  const lastTop = useRef(0);
  /** The line at the top edge and how much of it is above. */
  const anchor = useRef<{ line: number; above: number } | null>(null);

  const indexOf = (line: number) => {
    const i = indexFrom(lines, line);
    return newestFirst ? lines.length - 1 - i : i;
  };
  const startOf = (index: number) => view.measurementsCache[index]?.start ?? index * LINE;

  // biome-ignore lint/correctness/useExhaustiveDependencies: version stands for what the lines hold
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || lines.length === 0) return undefined;
    if (!follow) {
      const held = anchor.current;
      if (!held) return undefined;
      const wanted = startOf(indexOf(held.line)) + held.above;
      if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
      return undefined;
    }
    const pin = () => {
      element.scrollTop = newestFirst ? 0 : element.scrollHeight;
    };
    pin();
    // Wrapped lines are measured only now, and may be higher than thought.
    const frame = requestAnimationFrame(pin);
    return () => cancelAnimationFrame(frame);
  }, [follow, version, newestFirst, lines, lines.length]);

  // The pane was made higher or lower: its newest line stays in sight.
  useEffect(() => {
    const element = box.current;
    if (!element || !follow || newestFirst) return undefined;
    const observer = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, follow, newestFirst]);

  return () => {
    const element = box.current;
    if (!element) return;
    const { scrollTop } = element;
    const below = element.scrollHeight - scrollTop - element.clientHeight;
    const first = view.getVirtualItemForOffset(scrollTop);
    const line = first && lines[newestFirst ? lines.length - 1 - first.index : first.index];
    anchor.current = first && line ? { line: line.number, above: scrollTop - first.start } : null;

    const toNewest = newestFirst ? scrollTop : below;
    const away = newestFirst ? scrollTop > lastTop.current + 1 : scrollTop < lastTop.current - 1;
    lastTop.current = scrollTop;
    const near = toNewest < LINE * 1.5;
    if (near && scroll.atEnd) scroll.onFollow(true);
    else if (away && !near) scroll.onFollow(false);
    if (follow && !away) return;
    const toOldest = newestFirst ? below : scrollTop;
    if (toOldest < NEAR) scroll.onNearOldest();
    if (toNewest < NEAR && !scroll.atEnd) scroll.onNearNewest();
  };
}
