import { type RefObject, useLayoutEffect, useState } from 'react';

interface RowWindow {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  /** What stands above the first row inside the scroller, and stays there. */
  headerHeight: number;
  /** Rows drawn beyond what is in view. */
  overscan: number;
}

/** Which rows of a list of equal heights are in view: no measuring, no bookkeeping, the same for ten rows and a million. */
export function useRowWindow({ scroller, count, rowHeight, headerHeight, overscan }: RowWindow) {
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const read = () => {
      const top = element.scrollTop;
      const height = element.clientHeight;
      // Steps of half the overscan: a small scroll needs no new rows.
      const step = (rowHeight * overscan) / 2;
      setView((old) => {
        const same = Math.abs(old.top - top) < step && old.height === height && top > step;
        return same || (old.top === top && old.height === height) ? old : { top, height };
      });
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, [scroller, rowHeight, overscan]);

  const from = Math.max(0, Math.floor((view.top - headerHeight) / rowHeight) - overscan);
  const to = Math.min(count - 1, Math.ceil((view.top + view.height - headerHeight) / rowHeight) + overscan);

  /** Scrolls no more than needed. */
  const reveal = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const top = headerHeight + index * rowHeight;
    const above = element.scrollTop + headerHeight;
    const below = element.scrollTop + element.clientHeight;
    if (top < above) element.scrollTop = top - headerHeight;
    else if (top + rowHeight > below) element.scrollTop = top + rowHeight - element.clientHeight;
  };
  return { from, to, totalHeight: count * rowHeight, reveal };
}
