import clsx from 'clsx';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface NoticeProps {
  tone?: 'info' | 'warning' | 'danger';
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
  role?: 'status' | 'alert' | 'note';
}

/** Something to know before reading on: why it waits, what was cleared, what failed. */
export function Notice({ tone = 'info', title, children, action, className, role = 'note' }: NoticeProps) {
  const Icon = tone === 'info' ? Info : tone === 'warning' ? TriangleAlert : CircleAlert;
  return (
    <div
      role={role}
      className={clsx(
        'flex items-start gap-2.5 rounded-md border px-3 py-2 text-sm',
        tone === 'info' && 'border-line bg-sunken',
        tone === 'warning' &&
          'border-[color-mix(in_srgb,var(--st-warning)_28%,var(--surface))] bg-[var(--log-warn-bg)]',
        tone === 'danger' && 'border-[color-mix(in_srgb,var(--st-failed)_28%,var(--surface))] bg-[var(--log-error-bg)]',
        className,
      )}
    >
      <Icon
        aria-hidden
        className={clsx(
          'mt-0.5 size-4 shrink-0',
          tone === 'info' && 'text-fg-3',
          tone === 'warning' && 'text-warning',
          tone === 'danger' && 'text-danger',
        )}
      />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className={clsx(title ? 'text-fg-2' : 'text-fg')}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
