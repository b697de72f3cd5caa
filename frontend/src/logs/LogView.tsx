import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '@/lib/format';
import { Kbd } from '@/ui';
import { LogLine } from './LogLine';
import type { Line } from './store';

const LINE = 18;
const MARKS = 300;

interface LogViewProps {
  /** The lines shown, in the order shown. */
  lines: readonly Line[];
  /** Grows with every change, so that the view is pinned again. */
  version: number;
  wanted: string;
  /** The number of the line that stands out. */
  current: number | undefined;
  times: boolean;
  wrap: boolean;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  newestFirst: boolean;
  /** Called when the reader comes near the earliest loaded line. */
  onEarliest: () => void;
  onNumber: (line: number) => void;
}

/** The scrolled lines: only those in sight are in the page. The newest end is held while the reader stays there. */
export function LogView(props: LogViewProps): ReactElement {
  const { lines, version, follow, onFollow, newestFirst, current, wrap } = props;
  const { t, i18n } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [seen, setSeen] = useState(0);
  const newest = (newestFirst ? lines[0] : lines.at(-1))?.number ?? 0;
  const earliest = (newestFirst ? lines.at(-1) : lines[0])?.number ?? 0;
  const view = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 16,
    getItemKey: useCallback((i: number) => lines[i]?.number ?? i, [lines]),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: version pins the view again after every change
  useLayoutEffect(() => {
    if (!follow || lines.length === 0) return undefined;
    const pin = () => {
      const box = scroller.current;
      if (box) box.scrollTop = newestFirst ? 0 : box.scrollHeight;
    };
    pin();
    const frame = requestAnimationFrame(pin);
    return () => cancelAnimationFrame(frame);
  }, [follow, lines.length, version, newestFirst]);

  useEffect(() => {
    if (follow) setSeen(newest);
  }, [follow, newest]);

  // Earlier lines come in above: what is read stays where it is.
  const lastEarliest = useRef(earliest);
  useLayoutEffect(() => {
    const before = lastEarliest.current;
    lastEarliest.current = earliest;
    const box = scroller.current;
    if (box && !newestFirst && !follow && before > earliest && earliest > 0)
      box.scrollTop += (before - earliest) * LINE;
  }, [earliest, newestFirst, follow]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another line is to stand out
  useEffect(() => {
    if (current === undefined) return;
    const index = lines.findIndex((line) => line.number === current);
    if (index >= 0) view.scrollToIndex(index, { align: 'center' });
  }, [current, lines.length > 0]);

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const atNewest = newestFirst
      ? box.scrollTop < LINE * 1.5
      : box.scrollHeight - box.scrollTop - box.clientHeight < LINE * 1.5;
    const left = newestFirst ? box.scrollTop > lastTop.current + 1 : box.scrollTop < lastTop.current - 1;
    if (atNewest) onFollow(true);
    else if (left) onFollow(false);
    lastTop.current = box.scrollTop;
    const nearEarliest = newestFirst ? box.scrollHeight - box.scrollTop - box.clientHeight < 400 : box.scrollTop < 400;
    if (nearEarliest && !follow) props.onEarliest();
  };

  const marks = useMemo(() => {
    void version;
    const errors: number[] = [];
    lines.forEach((line, i) => {
      if (line.level === 'ERROR') errors.push(i);
    });
    const step = Math.ceil(errors.length / MARKS);
    return step > 1 ? errors.filter((_, i) => i % step === 0) : errors;
  }, [lines, version]);

  const fresh = Math.max(0, newest - seen);
  const gutter = 28 + Math.max(4, String(newest).length) * 7;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t('logs.region')}
        tabIndex={0}
        onScroll={onScroll}
        data-testid="log"
        className="absolute inset-0 overflow-auto py-1.5 focus-visible:outline-offset-[-2px]"
      >
        <div style={{ height: view.getTotalSize(), position: 'relative', minWidth: wrap ? undefined : 'max-content' }}>
          {view.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            return (
              <LogLine
                key={item.key}
                index={item.index}
                line={line}
                top={item.start}
                gutter={gutter}
                wanted={props.wanted}
                current={line.number === current}
                clock={props.times ? formatClock(line.time, i18n.language) : ''}
                wrap={wrap}
                measure={wrap ? view.measureElement : undefined}
                linkLabel={t('logs.linkTo', { line: line.number })}
                onNumber={props.onNumber}
              />
            );
          })}
        </div>
      </div>
      {marks.length > 0 && (
        <div aria-hidden className="pointer-events-none absolute inset-y-0 right-0 w-1.5">
          {marks.map((i) => (
            <i
              key={i}
              className="absolute right-0 h-0.5 w-1.5 rounded-full bg-danger opacity-70"
              style={{ top: `${(i / Math.max(1, lines.length)) * 100}%` }}
            />
          ))}
        </div>
      )}
      {!follow && (
        <button
          type="button"
          onClick={() => onFollow(true)}
          className="rise absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 items-center gap-2 rounded-full bg-fg pr-2.5 pl-3 text-xs font-medium whitespace-nowrap text-surface shadow-pop"
        >
          <ArrowDown aria-hidden className="size-3.5" />
          {fresh > 0 ? t('logs.newLines', { count: fresh }) : t('logs.toLatest')}
          <Kbd tone="inverted">End</Kbd>
        </button>
      )}
    </div>
  );
}
