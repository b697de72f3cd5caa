import type { ReactElement } from 'react';

export function ComputersPage(): ReactElement | null {
  return null;
}
