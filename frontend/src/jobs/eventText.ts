import type { TFunction } from 'i18next';
import type { JobEventItemFragment } from '@/api/generated/graphql';
import { formatBytes, formatClock, formatDuration } from '@/lib/format';
import type { StatusLook } from '@/ui';

type Event = Pick<JobEventItemFragment, 'type' | 'args'>;
type Args = Record<string, unknown>;
type Sentence = (args: Args, t: TFunction, lang: string) => string;

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
const short = (id: unknown) => text(id).slice(0, 8);
const clock = (value: unknown, lang: string) => (typeof value === 'string' ? formatClock(value, lang) : '–');

const GIVEN_BACK = ['released', 'restarted', 'unknown'] as const;
const LOST = ['rebooted', 'unknown', 'process_gone'] as const;
const known = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((each) => each === value);

const SENTENCES: Record<string, Sentence> = {
  'job.created': (a, t) => t('events.job.created', { runName: text(a.runName), computer: text(a.computer) }),
  'job.queued': (a, t) =>
    a.after
      ? t('events.job.queued_after', { job: short(a.after) })
      : a.reason
        ? t('events.job.queued_reason', { reason: reason(a.reason, t) })
        : t('events.job.queued'),
  'job.held': (_, t) => t('events.job.held'),
  'job.unheld': (_, t) => t('events.job.unheld'),
  'job.priority_changed': (a, t) => t('events.job.priority_changed', { priority: text(a.priority) }),
  'job.moved': (a, t) => t('events.job.moved', { computer: text(a.computer) }),
  'job.assigned': (a, t) => {
    if (a.worker) return t('events.job.assigned_worker', { worker: text(a.worker) });
    const gpus = Array.isArray(a.gpus) ? a.gpus.join(', ') : '';
    return gpus ? t('events.job.assigned_gpus', { gpus }) : t('events.job.assigned');
  },
  'job.unassigned': (a, t) =>
    a.reason
      ? t('events.job.unassigned_reason', { worker: text(a.worker), reason: reason(a.reason, t) })
      : t('events.job.unassigned', { worker: text(a.worker) }),
  'job.started': (_, t) => t('events.job.started'),
  'job.completed': (_, t) => t('events.job.completed'),
  'job.failed': (a, t) =>
    a.exitCode === undefined || a.exitCode === null
      ? t('events.job.failed')
      : t('events.job.failed_exit', { exitCode: text(a.exitCode) }),
  'job.canceled': (_, t) => t('events.job.canceled'),
  'job.stop_requested': (_, t) => t('events.job.stop_requested'),
  'job.kill_requested': (_, t) => t('events.job.kill_requested'),
  'job.stopped_by_user': (_, t) => t('events.job.stopped_by_user'),
  'job.stopped_max_duration': (a, t, lang) =>
    t('events.job.stopped_max_duration', { duration: formatDuration(Number(a.seconds ?? 0), lang) }),
  'job.dependency_failed': (a, t) => t('events.job.dependency_failed', { job: short(a.jobId) }),
  'job.no_response': (a, t, lang) => t('events.job.no_response', { time: clock(a.lastSeenAt, lang) }),
  'job.response_regained': (_, t) => t('events.job.response_regained'),
  'job.force_ended': (_, t) => t('events.job.force_ended'),
  'job.late_result': (a, t) =>
    a.exitCode === undefined || a.exitCode === null
      ? t('events.job.late_result_none', { reason: reason(a.reason, t) })
      : t('events.job.late_result', { exitCode: text(a.exitCode) }),
  'job.rerun': (a, t) => t('events.job.rerun', { job: short(a.jobId) }),
  'job.worker_lost': (a, t) => {
    const why = known(LOST, a.reason);
    return why ? t(`events.job.worker_lost_${why}`) : t('events.job.worker_lost');
  },
  'worker.prepared': (_, t) => t('events.worker.prepared'),
  'worker.process_started': (a, t) => t('events.worker.process_started', { pid: text(a.pid) }),
  'worker.process_exited': (a, t) =>
    a.signal
      ? t('events.worker.process_exited_signal', { signal: text(a.signal) })
      : t('events.worker.process_exited', { exitCode: text(a.exitCode) }),
  'worker.output_dropped': (a, t, lang) =>
    t('events.worker.output_dropped', { size: formatBytes(Number(a.bytes ?? 0), lang) }),
  'worker.adopted': (_, t) => t('events.worker.adopted'),
  'worker.stragglers': (a, t) => t('events.worker.stragglers', { count: Number(a.count ?? 0) }),
  'worker.kill_failed': (_, t) => t('events.worker.kill_failed'),
  'log.truncated': (_, t) => t('events.log.truncated'),
};

/** The types that have a sentence in both languages. */
export const KNOWN_EVENT_TYPES = Object.keys(SENTENCES);

function reason(value: unknown, t: TFunction): string {
  const why = known(GIVEN_BACK, value);
  return why ? t(`events.reason.${why}`) : text(value);
}

/** The sentence for an event; of a type not known here, its code and arguments, readable. */
export function eventText(event: Event, t: TFunction, lang: string): string {
  const args = (event.args ?? {}) as Args;
  const sentence = SENTENCES[event.type];
  if (sentence) return sentence(args, t, lang);
  const details = Object.entries(args)
    .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : text(value)}`)
    .join(', ');
  return details ? `${event.type} (${details})` : event.type;
}

const LOOKS: Record<string, StatusLook> = {
  'job.created': 'queued',
  'job.queued': 'queued',
  'job.held': 'held',
  'job.unheld': 'queued',
  'job.priority_changed': 'queued',
  'job.moved': 'queued',
  'job.assigned': 'assigned',
  'job.unassigned': 'queued',
  'job.started': 'running',
  'job.completed': 'completed',
  'job.failed': 'failed',
  'job.canceled': 'canceled',
  'job.stop_requested': 'warning',
  'job.kill_requested': 'warning',
  'job.stopped_by_user': 'canceled',
  'job.stopped_max_duration': 'timed-out',
  'job.dependency_failed': 'failed',
  'job.no_response': 'no-response',
  'job.response_regained': 'running',
  'job.force_ended': 'failed',
  'job.late_result': 'warning',
  'job.rerun': 'queued',
  'job.worker_lost': 'failed',
  'worker.prepared': 'preparing',
  'worker.process_started': 'running',
  'worker.adopted': 'running',
};

export function eventLook(type: string, severity: JobEventItemFragment['severity']): StatusLook {
  const look = LOOKS[type];
  if (look) return look;
  if (severity === 'ERROR') return 'failed';
  return severity === 'WARNING' ? 'warning' : 'assigned';
}
