import clsx from 'clsx';
import type { ReactNode } from 'react';

/** How a status looks. Shape alone tells them apart; colour only helps. */
export type StatusLook =
  | 'queued'
  | 'held'
  | 'assigned'
  | 'manual'
  | 'submitting'
  | 'in-queue'
  | 'preparing'
  | 'running'
  | 'completed'
  | 'failed'
  | 'timed-out'
  | 'canceled'
  | 'no-response'
  | 'warning';

/** Looks that share another's colours. */
const COLOUR: Partial<Record<StatusLook, string>> = { held: 'queued', manual: 'submitting' };
export const statusColor = (look: StatusLook) => `var(--st-${COLOUR[look] ?? look})`;
const statusTint = (look: StatusLook) => `var(--st-${COLOUR[look] ?? look}-bg)`;

const RADIUS = 5.25;
const AROUND = 2 * Math.PI * RADIUS;

const ring = { cx: 7, cy: 7, r: RADIUS, fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const;
const disc = <circle cx={7} cy={7} r={6} fill="currentColor" />;
/** A mark inside a disc is cut out in the colour behind it. */
const cutOut = {
  fill: 'none',
  stroke: 'var(--glyph-mark, var(--surface))',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const thin = { ...cutOut, stroke: 'currentColor', strokeWidth: 1.3 } as const;

const SHAPES: Record<Exclude<StatusLook, 'running'>, ReactNode> = {
  queued: <circle {...ring} strokeDasharray="1.9 2.22" strokeLinecap="butt" />,
  held: (
    <>
      <circle {...ring} />
      <path d="M5.6 5v4M8.4 5v4" {...thin} strokeWidth={1.5} />
    </>
  ),
  assigned: (
    <>
      <circle {...ring} />
      <path d="M7 4.4V7l1.7 1.2" {...thin} />
    </>
  ),
  manual: (
    <>
      <circle {...ring} />
      <path d="M4.4 7h4.8M7.4 5.2 9.2 7 7.4 8.8" {...thin} />
    </>
  ),
  submitting: (
    <>
      <circle {...ring} />
      <path d="M7 9.6V4.6M5 6.4l2-1.9 2 1.9" {...thin} />
    </>
  ),
  'in-queue': (
    <>
      <circle {...ring} />
      <path d="M4.9 5.6h4.2M4.9 8.4h2.6" {...thin} />
    </>
  ),
  preparing: (
    <>
      <circle {...ring} opacity={0.28} />
      <circle {...ring} className="spin" strokeDasharray={`${AROUND * 0.28} ${AROUND}`} strokeLinecap="round" />
    </>
  ),
  completed: (
    <>
      {disc}
      <path d="m4.4 7.2 1.8 1.8 3.4-3.7" {...cutOut} />
    </>
  ),
  failed: (
    <>
      {disc}
      <path d="m5 5 4 4M9 5 5 9" {...cutOut} />
    </>
  ),
  'timed-out': (
    <>
      {disc}
      <path d="M7 3.9V7l2 1.5" {...cutOut} />
    </>
  ),
  canceled: (
    <>
      <circle {...ring} />
      <path d="m3.6 10.4 6.8-6.8" {...thin} strokeWidth={1.5} />
    </>
  ),
  'no-response': (
    <>
      {disc}
      <path d="M5.6 5.6c.1-.9.7-1.4 1.5-1.4.9 0 1.5.5 1.5 1.3 0 1.1-1.5 1.1-1.5 2.2" {...cutOut} strokeWidth={1.4} />
      <circle cx={7.08} cy={9.8} r={0.85} fill="var(--glyph-mark, var(--surface))" />
    </>
  ),
  warning: (
    <>
      {disc}
      <path d="M7 4v3.4" {...cutOut} />
      <circle cx={7} cy={9.8} r={0.95} fill="var(--glyph-mark, var(--surface))" />
    </>
  ),
};

/** A ring that fills with the percentage; unknown progress turns. */
function runningShape(percent: number | null | undefined) {
  const known = percent !== null && percent !== undefined;
  const filled = AROUND * Math.max(0.06, known ? Math.min(100, percent) / 100 : 0.25);
  return (
    <>
      <circle {...ring} opacity={0.28} />
      <g className={known ? undefined : 'spin'}>
        <circle
          {...ring}
          strokeWidth={1.9}
          strokeLinecap="round"
          strokeDasharray={`${filled} ${AROUND}`}
          transform="rotate(-90 7 7)"
        />
      </g>
      <circle cx={7} cy={7} r={1.9} fill="currentColor" />
    </>
  );
}

interface StatusGlyphProps {
  look: StatusLook;
  /** 0..100, for `running`. */
  percent?: number | null | undefined;
  size?: number;
}

export function StatusGlyph({ look, percent, size = 14 }: StatusGlyphProps) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 14 14"
      className="shrink-0"
      style={{ color: statusColor(look) }}
    >
      {look === 'running' ? runningShape(percent) : SHAPES[look]}
    </svg>
  );
}

interface StatusProps extends StatusGlyphProps {
  label: string;
  className?: string;
}

/** In rows: coloured glyph, neutral word. */
export function StatusLabel({ look, percent, label, className }: StatusProps) {
  return (
    <span className={clsx('flex min-w-0 items-center gap-2', className)}>
      <StatusGlyph look={look} percent={percent} />
      <span className="truncate">{label}</span>
    </span>
  );
}

/** In headings: a tinted pill. */
export function StatusChip({ look, percent, label, className }: StatusProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full pr-2.5 pl-1.5 text-xs font-medium whitespace-nowrap tnum',
        className,
      )}
      style={{ color: statusColor(look), background: statusTint(look), ['--glyph-mark' as string]: statusTint(look) }}
    >
      <StatusGlyph look={look} percent={percent} />
      {label}
    </span>
  );
}
