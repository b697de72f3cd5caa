import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { JobDetailFragment, WaitingCode } from '@/api/generated/graphql';
import { formatAgo, formatDateTime } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useNow } from '@/lib/useNow';
import { Notice, StatusLabel } from '@/ui';
import { statusLook } from './look';

/** Waiting as it should be: nobody has to do anything. */
const CALM: readonly WaitingCode[] = ['QUEUED', 'HOLDING', 'WAITING_FOR_JOB', 'MACHINE_STARTING'];

type Args = Record<string, unknown>;
type Waiting = NonNullable<JobDetailFragment['waiting']>;
type Reason = Waiting['possibleReasons'][number];

interface WhyWaitingProps {
  project: string;
  job: JobDetailFragment;
}

/** Why a queued job has not started, above everything else. */
export function WhyWaiting({ project, job }: WhyWaitingProps) {
  const { t } = useTranslation();
  const lang = useLang();
  const now = useNow();
  const waiting = job.waiting;
  if (!waiting || job.status !== 'QUEUED') return null;
  const ago = (time: string) => formatAgo(time, now, lang, t('common.now'));
  const calm = CALM.includes(waiting.code) || (waiting.code === 'WORKER_BUSY' && waiting.possibleReasons.length === 0);
  const aboutWorkers = waiting.code === 'NO_WORKER' || waiting.code === 'WORKER_OFFLINE';
  const saysAhead = waiting.possibleReasons.some((reason) => reason.code === 'BEHIND_OTHERS');

  return (
    <Notice
      tone={calm ? 'info' : 'warning'}
      className="mx-5 mt-3"
      action={
        aboutWorkers && (
          <Link
            to="/p/$project/computers"
            params={{ project }}
            search={{ computer: job.computer.name }}
            className="shrink-0 rounded-sm font-medium text-accent-text hover:underline"
          >
            {t('jobs.blocked.openSetup')}
          </Link>
        )
      }
    >
      <h3 className="sr-only">{t('jobs.waiting.title')}</h3>
      <p>{waitingText(waiting, job, t, ago)}</p>
      {waiting.code === 'WAITING_FOR_JOB' && <Awaited project={project} job={job} />}
      {waiting.possibleReasons.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {waiting.possibleReasons.map((reason) => (
            <li key={reason.code}>
              {reasonText(reason, job, t)} <Holders project={project} reason={reason} />
            </li>
          ))}
        </ul>
      )}
      {(waiting.jobsAhead ?? 0) > 0 && !saysAhead && (
        <p className="mt-0.5 text-fg-2">{t('jobs.waiting.ahead', { count: waiting.jobsAhead ?? 0 })}</p>
      )}
      {waiting.estimatedStart && (
        <p className="mt-0.5 text-fg-2">
          {t('jobs.waiting.estimate', { time: formatDateTime(waiting.estimatedStart, lang) })}
        </p>
      )}
    </Notice>
  );
}

/** The jobs it waits for, to go and look at them. */
function Awaited({ project, job }: WhyWaitingProps) {
  const { t } = useTranslation();
  const open = job.after.filter((each) => each.status !== 'COMPLETED');
  return (
    <ul className="mt-1 flex flex-col gap-0.5">
      {open.map((each) => (
        <li key={each.id} className="flex min-w-0 items-center gap-2">
          <StatusLabel look={statusLook(each.status)} label={t(`common.status.${each.status}`)} className="shrink-0" />
          <Link
            to="/p/$project/jobs"
            params={{ project }}
            search={(search) => ({ ...search, job: each.id })}
            className="min-w-0 truncate rounded-sm text-accent-text hover:underline"
          >
            {each.run.name} <span className="font-mono text-xs">{each.shortId}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Waited = Pick<JobDetailFragment, 'computer' | 'after' | 'gpuIds'>;

/** One sentence per code; the computer's name is the job's where the arguments do not say it. */
export function waitingText(waiting: Waiting, job: Waited, t: TFunction, ago: (time: string) => string): string {
  const args = (waiting.args ?? {}) as Args;
  const computer = typeof args.computer === 'string' ? args.computer : job.computer.name;
  switch (waiting.code) {
    case 'WORKER_OFFLINE': {
      const seen = args.lastSeenAt;
      const time = typeof seen === 'string' ? ago(seen) : t('common.neverResponded');
      return t('jobs.waiting.WORKER_OFFLINE', { computer, time });
    }
    case 'WAITING_FOR_JOB': {
      const open = job.after.filter((each) => each.status !== 'COMPLETED').length;
      return open > 0 ? t('jobs.waiting.WAITING_FOR_JOB', { count: open }) : t('jobs.waiting.WAITING_FOR_JOB_plain');
    }
    case 'WORKER_BUSY':
      return waiting.possibleReasons.length > 0 ? t('jobs.waiting.WORKER_BUSY') : t('jobs.waiting.WORKER_BUSY_soon');
    case 'NEVER':
      return typeof args.gpusAsked === 'number' && typeof args.gpusTotal === 'number'
        ? t('jobs.waiting.NEVER_gpus', { computer, asked: args.gpusAsked, total: args.gpusTotal })
        : t('jobs.waiting.NEVER', { computer });
    default:
      return t(`jobs.waiting.${waiting.code}`, { computer });
  }
}

export function reasonText(reason: Reason, job: Pick<Waited, 'gpuIds'>, t: TFunction): string {
  const args = (reason.args ?? {}) as Args;
  if (reason.code === 'CONCURRENCY_LIMIT' && args.limit != null) {
    return t('jobs.waiting.reason.CONCURRENCY_LIMIT_limit', { limit: String(args.limit) });
  }
  if (reason.code === 'BEHIND_OTHERS' && typeof args.jobsAhead === 'number') {
    return t('jobs.waiting.reason.BEHIND_OTHERS_ahead', { count: args.jobsAhead });
  }
  if (reason.code === 'GPU_IN_USE' && job.gpuIds.length === 0 && args.free != null) {
    return t('jobs.waiting.reason.GPU_IN_USE_count', {
      asked: String(args.asked),
      free: String(args.free),
      total: String(args.total),
    });
  }
  if (reason.code === 'GPU_IN_USE' && Array.isArray(args.gpuIds) && args.gpuIds.length > 0) {
    return t('jobs.waiting.reason.GPU_IN_USE_ids', { gpus: args.gpuIds.join(', ') });
  }
  return t(`jobs.waiting.reason.${reason.code}`);
}

/** The jobs that hold the GPUs, to go and look at them. */
function Holders({ project, reason }: { project: string; reason: Reason }) {
  const { t } = useTranslation();
  const ids = (reason.args as Args | null)?.jobIds;
  if (reason.code !== 'GPU_IN_USE' || !Array.isArray(ids) || ids.length === 0) return null;
  return (
    <span className="text-fg-2">
      {t('jobs.waiting.heldBy')}:{' '}
      {ids.map((id) => (
        <Link
          key={String(id)}
          to="/p/$project/jobs"
          params={{ project }}
          search={(search) => ({ ...search, job: String(id) })}
          className="mr-1.5 rounded-sm font-mono text-xs text-accent-text hover:underline"
        >
          {String(id).slice(0, 8)}
        </Link>
      ))}
    </span>
  );
}
