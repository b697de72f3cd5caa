import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { Fragment, memo, type ReactNode } from 'react';
import { formatClock, formatExact } from '@/lib/format';
import { piecesOf } from './highlight';
import type { Line } from './store';

const LOOK = { INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;

interface LogLineProps {
  line: Line;
  index: number;
  top: number;
  gutter: number;
  wanted: string;
  current: boolean;
  times: boolean;
  lang: string;
  wrap: boolean;
  measure: ((element: Element | null) => void) | undefined;
  t: TFunction;
  onNumber: (line: number) => void;
}

export const LogLine = memo(function LogLine(props: LogLineProps) {
  const { line, lang, wrap } = props;
  return (
    <div
      ref={props.measure}
      data-index={props.index}
      data-line={line.number}
      data-level={LOOK[line.level]}
      data-stream={line.stream === 'SYSTEM' ? 'system' : undefined}
      data-cut={line.cut || undefined}
      data-current={props.current || undefined}
      className={clsx('log-line absolute left-0 flex min-w-full', !wrap && 'h-[18px]')}
      style={{ transform: `translateY(${props.top}px)`, ...(wrap ? { right: 0 } : {}) }}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={props.t('logs.linkTo', { line: line.number })}
        onClick={() => props.onNumber(line.number)}
        className="sticky left-0 z-1 shrink-0 pr-3 text-right text-2xs leading-[18px] text-fg-3 tnum select-none hover:text-accent-text"
        style={{ width: props.gutter }}
      >
        {line.number}
      </button>
      {props.times && (
        <time
          dateTime={line.time}
          title={formatExact(line.time, lang)}
          className="w-[72px] shrink-0 text-fg-3 tnum select-none"
        >
          {formatClock(line.time, lang)}
        </time>
      )}
      <span className={clsx('pr-6', wrap ? '[overflow-wrap:anywhere] whitespace-pre-wrap' : 'whitespace-pre')}>
        {piecesOf(line.message, props.wanted).map((piece, i) => {
          const text: ReactNode = piece.hit ? <mark>{piece.text}</mark> : piece.text;
          if (!piece.className && !piece.style) return <Fragment key={i}>{text}</Fragment>;
          return (
            <span key={i} className={piece.className} style={piece.style}>
              {text}
            </span>
          );
        })}
      </span>
    </div>
  );
});
