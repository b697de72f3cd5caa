import type { ReactElement } from 'react';

export function MembersPage(): ReactElement | null {
  return null;
}
