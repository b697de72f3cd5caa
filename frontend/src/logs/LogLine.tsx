import clsx from 'clsx';
import { Fragment, memo, type ReactNode } from 'react';
import { parseAnsi } from './ansi';
import type { Line } from './store';

const LOOK = { INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;

function highlight(text: string, wanted: string): ReactNode {
  if (!wanted) return text;
  const low = text.toLowerCase();
  const out: ReactNode[] = [];
  let at = 0;
  for (let i = low.indexOf(wanted); i >= 0; i = low.indexOf(wanted, i + wanted.length)) {
    if (i > at) out.push(text.slice(at, i));
    out.push(<mark key={i}>{text.slice(i, i + wanted.length)}</mark>);
    at = i + wanted.length;
  }
  return at > 0 ? [...out, text.slice(at)] : text;
}

interface LogLineProps {
  line: Line;
  index: number;
  top: number;
  gutter: number;
  wanted: string;
  current: boolean;
  clock: string;
  wrap: boolean;
  measure: ((element: Element | null) => void) | undefined;
  linkLabel: string;
  onNumber: (line: number) => void;
}

export const LogLine = memo(function LogLine(props: LogLineProps) {
  const { line, wanted, wrap } = props;
  return (
    <div
      ref={props.measure}
      data-index={props.index}
      data-level={LOOK[line.level]}
      data-current={props.current || undefined}
      className={clsx('log-line absolute left-0 flex min-w-full', !wrap && 'h-[18px]')}
      style={{ transform: `translateY(${props.top}px)`, ...(wrap ? { right: 0 } : {}) }}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={props.linkLabel}
        onClick={() => props.onNumber(line.number)}
        className="sticky left-0 z-1 shrink-0 pr-3 text-right text-2xs leading-[18px] text-fg-3 tnum select-none hover:text-accent-text"
        style={{ width: props.gutter }}
      >
        {line.number}
      </button>
      {props.clock && <span className="w-[72px] shrink-0 text-fg-3 tnum">{props.clock}</span>}
      <span className={clsx('pr-6', wrap ? '[overflow-wrap:anywhere] whitespace-pre-wrap' : 'whitespace-pre')}>
        {parseAnsi(line.message).map((piece, i) =>
          piece.className || piece.style ? (
            <span key={i} className={piece.className} style={piece.style}>
              {highlight(piece.text, wanted)}
            </span>
          ) : (
            <Fragment key={i}>{highlight(piece.text, wanted)}</Fragment>
          ),
        )}
      </span>
    </div>
  );
});
