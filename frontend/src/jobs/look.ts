import type { TFunction } from 'i18next';
import type { JobEndReason, JobPhase, JobRowFragment, JobStatus } from '@/api/generated/graphql';
import type { StatusLook } from '@/ui';

const LOOKS: Record<JobStatus, StatusLook> = {
  QUEUED: 'queued',
  ASSIGNED: 'assigned',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELED: 'canceled',
};

const PHASE_LOOKS: Partial<Record<JobPhase, StatusLook>> = {
  WAITING_MANUAL_SUBMISSION: 'manual',
  SUBMITTING: 'submitting',
  IN_SCHEDULER_QUEUE: 'in-queue',
  PREPARING: 'preparing',
  WAITING_FOR_GPU: 'preparing',
};

const END_LOOKS: Partial<Record<JobEndReason, StatusLook>> = {
  TIMED_OUT: 'timed-out',
  QUEUE_TIMEOUT: 'timed-out',
  SUBMISSION_FAILED: 'timed-out',
};

type Shown = Pick<JobRowFragment, 'status' | 'phase' | 'endReason' | 'held'>;

export const statusLook = (status: JobStatus): StatusLook => LOOKS[status];

export function jobLook(job: Shown): StatusLook {
  if (job.status === 'QUEUED' && job.held) return 'held';
  const special = (job.phase && PHASE_LOOKS[job.phase]) || (job.endReason && END_LOOKS[job.endReason]);
  return special || LOOKS[job.status];
}

/** These say no more than the status or a badge beside it already does. */
const SILENT_PHASES: readonly JobPhase[] = ['HOLDING', 'STOPPING'];
const SILENT_REASONS: readonly JobEndReason[] = ['STOPPED_BY_USER'];

/** The word behind the status: where it is inside it, or why it ended. */
export function jobSubstatus(job: Shown, t: TFunction): string | null {
  if (job.phase && !SILENT_PHASES.includes(job.phase)) return t(`jobs.phase.${job.phase}`);
  if (job.endReason && !SILENT_REASONS.includes(job.endReason)) return t(`jobs.endReason.${job.endReason}`);
  return null;
}

export const isLive = (status: JobStatus) => status === 'QUEUED' || status === 'ASSIGNED' || status === 'RUNNING';

/** "0, 1", "0–7" for a run of more than three, "GPU ×2" for a count, null for CPU only. */
export function gpuText(job: Pick<JobRowFragment, 'gpuIds' | 'gpuCount'>): string | null {
  const { gpuIds, gpuCount } = job;
  if (gpuIds.length === 0) return gpuCount > 0 ? `GPU ×${gpuCount}` : null;
  const numbers = gpuIds.map(Number);
  const consecutive = numbers.every((n, i) => Number.isInteger(n) && (i === 0 || n === (numbers[i - 1] ?? 0) + 1));
  if (gpuIds.length > 3 && consecutive) return `${gpuIds[0]}–${gpuIds.at(-1)}`;
  return gpuIds.join(', ');
}

export const personName = (person: { name: string; displayName: string }) => person.displayName || person.name;
