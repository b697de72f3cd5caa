import clsx from 'clsx';
import type { ReactNode } from 'react';

interface BadgeProps {
  tone?: 'neutral' | 'warning' | 'danger' | 'no-response' | 'accent' | 'success';
  children: ReactNode;
  title?: string;
  className?: string;
}

/** A small pill that stands beside a status or a name. */
export function Badge({ tone = 'neutral', children, title, className }: BadgeProps) {
  return (
    <span
      title={title}
      className={clsx(
        'inline-flex h-4 shrink-0 items-center rounded-full px-1.5 text-2xs font-medium whitespace-nowrap',
        tone === 'neutral' && 'bg-active text-fg-2',
        tone === 'warning' && 'bg-[var(--st-warning-bg)] text-warning',
        tone === 'danger' && 'bg-danger-soft text-danger',
        tone === 'no-response' && 'bg-[var(--st-no-response-bg)] text-[var(--st-no-response)]',
        tone === 'accent' && 'bg-accent-soft text-accent-text',
        tone === 'success' && 'bg-[var(--st-completed-bg)] text-success',
        className,
      )}
    >
      {children}
    </span>
  );
}
