import type { ReactNode } from 'react';

/** A page's frame: title and its action in the header, the rest scrolls. */
export function Page({ title, action, children }: { title: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-3 border-b border-line px-5 py-2">
        <h1 className="text-lg font-semibold tracking-[-0.01em]">{title}</h1>
        <span className="flex-1" />
        {action}
      </header>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={-1}>
        {children}
      </div>
    </div>
  );
}

/** A titled part of a page of settings. */
export function Section({
  title,
  hint,
  action,
  children,
}: {
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-3 border-b border-line px-5 py-5 last:border-b-0">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {hint && <p className="text-sm text-fg-2">{hint}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** A plain table with hairlines; on a phone it scrolls sideways. */
export function Table({ head, children, label }: { head: readonly ReactNode[]; children: ReactNode; label: string }) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full min-w-[560px] border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-fg-2">
            {head.map((cell, i) => (
              <th key={i} scope="col" className="h-8 px-3 font-medium whitespace-nowrap first:pl-5 last:pr-5">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export const cellClass = 'h-9 px-3 first:pl-5 last:pr-5';
