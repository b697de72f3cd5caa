import clsx from 'clsx';
import type { ReactNode } from 'react';

interface ToggleProps {
  pressed: boolean;
  onChange: (pressed: boolean) => void;
  icon: ReactNode;
  label: string;
  /** Set for toggles that follow something: true shows the beating dot while pressed. */
  live?: boolean;
  disabled?: boolean;
}

export function Toggle({ pressed, onChange, icon, label, live, disabled }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      disabled={disabled}
      onClick={() => onChange(!pressed)}
      className={clsx(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-50 [&_svg]:size-3.5',
        !pressed && 'text-fg-2 hover:bg-hover hover:text-fg',
        pressed && (live === undefined ? 'bg-active text-fg' : 'bg-accent-soft text-accent-text'),
      )}
    >
      {live && pressed ? (
        <span className="pulse-dot mx-1 size-1.5 rounded-full bg-accent-text text-accent-text" />
      ) : (
        icon
      )}
      {label}
    </button>
  );
}

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; count?: string; tone?: 'warn' | 'error' }[];
}

/** One of a few; each option is a button that says whether it is on. */
export function Segmented<Value extends string>({ label, value, onChange, options }: SegmentedProps<Value>) {
  return (
    <div role="group" aria-label={label} className="flex h-7 items-center rounded-md bg-hover p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={value === option.value}
          onClick={() => onChange(option.value)}
          className={clsx(
            'flex h-6 min-w-7 items-center justify-center gap-1.5 rounded-[5px] px-2 text-xs font-medium whitespace-nowrap',
            value === option.value ? 'bg-raised text-fg shadow-card' : 'text-fg-2 hover:text-fg',
          )}
        >
          {option.label}
          {option.count !== undefined && (
            <span
              className={clsx(
                'text-2xs tnum',
                option.tone === 'error' && 'text-danger',
                option.tone === 'warn' && 'text-warning',
                !option.tone && 'text-fg-3',
              )}
            >
              {option.count}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
