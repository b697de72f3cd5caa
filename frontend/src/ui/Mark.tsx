/** The product's mark: a small moon. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M20.9 19.6A8.6 8.6 0 0 1 12.4 8.2a8.6 8.6 0 1 0 11.4 11.1 8.6 8.6 0 0 1-2.9.3z" fill="#fff" />
    </svg>
  );
}
