import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Tip } from './Tip';

interface IconToggleProps {
  pressed: boolean;
  onChange: (pressed: boolean) => void;
  icon: ReactNode;
  label: string;
  kbd?: string;
}

/** A Toggle where there is no room for its word: that is in the tooltip. */
export function IconToggle({ pressed, onChange, icon, label, kbd }: IconToggleProps) {
  return (
    <Tip label={label} kbd={kbd}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        onClick={() => onChange(!pressed)}
        className={clsx(
          'inline-flex size-7 shrink-0 items-center justify-center rounded-md transition-colors duration-100 [&_svg]:size-3.5',
          pressed ? 'bg-active text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg',
        )}
      >
        {icon}
      </button>
    </Tip>
  );
}
