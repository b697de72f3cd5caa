import clsx from 'clsx';

/** Holds the place of a text that is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton block h-3', className)} />;
}
