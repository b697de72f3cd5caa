import type { ReactElement } from 'react';
import type { LaunchJobInput } from '@/api/generated/graphql';

export interface LaunchDialogProps {
  /** The project's key. */
  project: string;
  open: boolean;
  onClose: () => void;
  /** Gets the full id of the new job. */
  onLaunched: (jobId: string) => void;
  /** Values to start from: launching again with changes. */
  prefill?: Partial<LaunchJobInput> | undefined;
}

export function LaunchDialog(_props: LaunchDialogProps): ReactElement | null {
  return null;
}
