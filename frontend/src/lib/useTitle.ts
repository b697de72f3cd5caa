import { useEffect } from 'react';

const PRODUCT = 'Nightshift';

/** The window's title, from the particular to the general. */
export function useTitle(...parts: (string | null | undefined)[]) {
  const title = [...parts.filter(Boolean), PRODUCT].join(' · ');
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = PRODUCT;
    };
  }, [title]);
}
