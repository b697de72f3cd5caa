import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

interface SplitterProps {
  label: string;
  /** The height below it, in pixels. */
  value: number;
  min: number;
  max: number;
  reset: number;
  onChange: (value: number) => void;
}

/** Between a list and what is below it: drag, ↑ ↓ (16 px, with Shift 64), Home, End, double click resets. */
export function Splitter({ label, value, min, max, reset, onChange }: SplitterProps) {
  const start = useRef<{ y: number; value: number } | null>(null);
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 64 : 16;
    const next = { ArrowUp: value + step, ArrowDown: value - step, Home: min, End: max }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { y: event.clientY, value };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (start.current) set(start.current.value + start.current.y - event.clientY);
  };
  const onPointerUp = () => {
    start.current = null;
  };

  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={Math.min(value, max)}
      aria-valuemin={min}
      aria-valuemax={Math.max(min, max)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => set(reset)}
      className="group relative z-10 -my-1 flex h-2 shrink-0 cursor-row-resize touch-none items-center focus-visible:outline-none"
    >
      <span className="h-px w-full bg-line transition-colors group-hover:h-0.5 group-hover:bg-accent group-focus-visible:h-0.5 group-focus-visible:bg-accent" />
    </div>
  );
}
