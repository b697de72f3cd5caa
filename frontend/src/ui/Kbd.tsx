import clsx from 'clsx';
import type { ReactNode } from 'react';

/** A key's name; for the eye only, screen readers hear aria-keyshortcuts or the label. */
export function Kbd({ children, className, tone = 'plain' }: KbdProps) {
  return (
    <kbd
      aria-hidden
      className={clsx(
        'rounded-sm border px-1 font-sans text-[10px] leading-[15px] font-medium',
        tone === 'plain' && 'border-line bg-surface text-fg-3',
        tone === 'inverted' && 'border-transparent bg-surface/15 text-surface',
        tone === 'accent' && 'border-transparent bg-[#0000002e] text-accent-fg',
        className,
      )}
    >
      {children}
    </kbd>
  );
}

interface KbdProps {
  children: ReactNode;
  className?: string;
  tone?: 'plain' | 'inverted' | 'accent';
}
