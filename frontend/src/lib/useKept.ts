import { useRef } from 'react';

/** The last value there was for a key: a query that fails because the server is away must not empty what was already read. */
export function useKept<T>(value: T | null | undefined, key: string): T | null {
  const kept = useRef<{ key: string; value: T } | null>(null);
  if (value !== null && value !== undefined) kept.current = { key, value };
  return kept.current?.key === key ? kept.current.value : null;
}
