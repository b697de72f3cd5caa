import type { ReactElement } from 'react';

export function SignInPage(): ReactElement | null {
  return null;
}
