import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Kbd } from '@/ui';
import { indexFrom } from './filter';
import { LogLine } from './LogLine';
import { MarkRail, marksOf } from './MarkRail';
import type { Line } from './store';
import { useLogScroll } from './useLogScroll';
import { useLogSelection } from './useLogSelection';
import './logs.css';

const LINE = 18;
const PADDING = 6;

interface LogViewProps {
  /** The lines shown, oldest first whatever the order on the screen. The array may grow in place: see version. */
  lines: readonly Line[];
  version: number;
  wanted: string;
  /** The number of the line that stands out; a new `jump` brings it into view. */
  current: number | undefined;
  jump: number;
  times: boolean;
  wrap: boolean;
  newestFirst: boolean;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  /** These lines reach to the end of the log. */
  atEnd: boolean;
  onNearOldest: () => void;
  onNearNewest: () => void;
  onNumber: (line: number) => void;
}

/** The scrolled lines: only those in sight are in the page. */
export function LogView(props: LogViewProps): ReactElement {
  const { lines, version, newestFirst, wrap, current, follow, onFollow } = props;
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const { length } = lines;

  const lineAt = (index: number) => lines[newestFirst ? length - 1 - index : index];
  const indexOf = (line: number) => {
    const i = indexFrom(lines, line);
    return newestFirst ? length - 1 - i : i;
  };
  const shown = () => (newestFirst ? [...lines].reverse() : lines);
  const selection = useLogSelection(box, shown, indexOf);
  // While something is selected, the newest end may run ahead: a selection that scrolls away cannot be read.
  const pinned = follow && selection.ends.length === 0;

  const kept = selection.ends.map(indexOf);
  const view = useVirtualizer({
    count: length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE,
    overscan: 10,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    // biome-ignore lint/correctness/useExhaustiveDependencies: version stands for what the lines hold
    getItemKey: useCallback((i: number) => lineAt(i)?.number ?? -i, [lines, length, newestFirst, version]),
    rangeExtractor: (range: Range) => {
      const seen = defaultRangeExtractor(range);
      const extra = kept.filter((i) => i >= 0 && i < length && !seen.includes(i));
      return extra.length > 0 ? [...new Set([...seen, ...extra])].sort((a, b) => a - b) : seen;
    },
  });

  const onScroll = useLogScroll({
    box,
    view,
    lines,
    version,
    newestFirst,
    follow: pinned,
    onFollow,
    atEnd: props.atEnd,
    onNearOldest: props.onNearOldest,
    onNearNewest: props.onNearNewest,
  });

  // Heights measured while wrapping are worth nothing afterwards.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when wrapping begins or ends
  useLayoutEffect(() => view.measure(), [wrap]);

  const there = current !== undefined && lines[indexFrom(lines, current)]?.number === current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is asked for, or when it has come
  useEffect(() => {
    if (there && current !== undefined) view.scrollToIndex(indexOf(current), { align: 'center' });
  }, [current, there, props.jump]);

  // Tints reach as far as the longest line seen so far.
  useLayoutEffect(() => {
    const [element, inner] = [box.current, sizer.current];
    if (!element || !inner) return;
    if (wrap) inner.style.minWidth = '';
    else if (element.scrollWidth > inner.offsetWidth) inner.style.minWidth = `${element.scrollWidth}px`;
  });

  const newest = lines.at(-1)?.number ?? 0;
  const [seen, setSeen] = useState(newest);
  useEffect(() => {
    if (pinned) setSeen(newest);
  }, [pinned, newest]);
  const fresh = props.atEnd ? length - indexFrom(lines, seen + 1) : 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: version stands for what the lines hold
  const marks = useMemo(() => marksOf(lines, newestFirst), [lines, length, version, newestFirst]);
  const gutter = 28 + Math.max(4, String(newest).length) * 7;
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
      event.preventDefault();
      selection.selectAll();
    }
  };
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label={t('logs.region')}
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onCopy={selection.onCopy}
        data-testid="log"
        className="absolute inset-0 overflow-auto [overflow-anchor:none] focus-visible:outline-offset-[-2px]"
      >
        <div ref={sizer} style={{ height: view.getTotalSize(), position: 'relative' }}>
          {view.getVirtualItems().map((item) => {
            const line = lineAt(item.index);
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
                times={props.times}
                lang={i18n.language}
                wrap={wrap}
                measure={wrap ? view.measureElement : undefined}
                t={t}
                onNumber={props.onNumber}
              />
            );
          })}
        </div>
      </div>
      <MarkRail marks={marks} />
      {!pinned && (
        <button
          type="button"
          onClick={() => {
            document.getSelection()?.removeAllRanges();
            onFollow(true);
          }}
          className="rise absolute bottom-3 left-1/2 z-3 flex h-8 -translate-x-1/2 items-center gap-2 rounded-full bg-fg pr-2.5 pl-3 text-xs font-medium whitespace-nowrap text-surface shadow-pop [&_svg]:size-3.5"
        >
          {newestFirst ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />}
          {fresh > 0 ? t('logs.newLines', { count: fresh }) : t('logs.toLatest')}
          <Kbd tone="inverted">End</Kbd>
        </button>
      )}
    </div>
  );
}
