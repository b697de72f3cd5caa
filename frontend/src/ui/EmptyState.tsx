import clsx from 'clsx';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  body?: ReactNode;
  action?: ReactNode;
  compact?: boolean;
  /** The title's level in the page's outline; without it the title is a plain sentence. */
  heading?: boolean;
}

/** Says what a place is for and the one next step; the same frame shows an error with its cause. */
export function EmptyState({ icon, title, body, action, compact, heading }: EmptyStateProps) {
  const Title = heading ? 'h1' : 'p';
  return (
    <div
      className={clsx(
        'flex flex-1 flex-col items-center justify-center px-6 text-center',
        compact ? 'gap-1 py-8' : 'gap-1.5 py-16',
      )}
    >
      {icon && (
        <div className={clsx('flex items-center justify-center text-fg-3', compact ? 'mb-2 h-5' : 'mb-3')}>{icon}</div>
      )}
      <Title className="text-base font-medium text-fg">{title}</Title>
      {body && <div className="max-w-md text-sm text-fg-2">{body}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** Three drawn rows, the middle one waiting. */
export function EmptyArt() {
  return (
    <svg aria-hidden width="132" height="76" viewBox="0 0 132 76" fill="none">
      <g stroke="var(--line-strong)">
        <rect x="18.5" y="6.5" width="95" height="17" rx="5" fill="var(--surface)" opacity=".55" />
        <rect x="10.5" y="28.5" width="111" height="19" rx="5" fill="var(--surface)" />
        <rect x="18.5" y="52.5" width="95" height="17" rx="5" fill="var(--surface)" opacity=".55" />
      </g>
      <circle cx="22.5" cy="38" r="4.5" stroke="var(--accent-text)" strokeWidth="1.5" strokeDasharray="2 2.2" />
      <path d="M34 38h48M92 38h18" stroke="var(--line-strong)" strokeWidth="4" strokeLinecap="round" />
      <path d="M34 15h32M34 61h40" stroke="var(--line)" strokeWidth="4" strokeLinecap="round" />
      <circle cx="26" cy="15" r="3" fill="var(--line)" />
      <circle cx="26" cy="61" r="3" fill="var(--line)" />
    </svg>
  );
}
