import type { ReactElement } from 'react';

export function AccountPage(): ReactElement | null {
  return null;
}
