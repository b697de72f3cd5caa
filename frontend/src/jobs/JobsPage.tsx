import type { ReactElement } from 'react';

export function JobsPage(): ReactElement | null {
  return null;
}
