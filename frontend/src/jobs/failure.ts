import type { TFunction } from 'i18next';
import { formatDateTime, formatDuration } from '@/lib/format';

/** The exit codes that have a meaning of their own. */
export const KNOWN_EXIT_CODES = [1, 2, 126, 127, 130, 134, 137, 139, 143] as const;
type KnownExitCode = (typeof KNOWN_EXIT_CODES)[number];

export function exitCodeMeaning(exitCode: number | null | undefined, t: TFunction): string | null {
  if (!KNOWN_EXIT_CODES.includes(exitCode as KnownExitCode)) return null;
  return t(`jobs.exitCode.${exitCode as KnownExitCode}`);
}

interface Failed {
  error?: string | null | undefined;
  errorCode?: string | null | undefined;
  errorArgs?: unknown;
  exitCode?: number | null | undefined;
}

type Args = Record<string, unknown>;
const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));

/** The sentence for what went wrong, made here from a code; what has no sentence of ours is said in the server's own words. */
export function failureSentence(job: Failed, t: TFunction, lang: string): string | null {
  const args = (job.errorArgs ?? {}) as Args;
  const exitCode = typeof args.exitCode === 'number' ? args.exitCode : job.exitCode;
  switch (job.errorCode) {
    case 'exit_nonzero': {
      const meaning = exitCodeMeaning(exitCode, t);
      return meaning
        ? t('jobs.failure.exit_nonzero_meaning', { exitCode, meaning })
        : t('jobs.failure.exit_nonzero', { exitCode });
    }
    case 'signal': {
      const bare = text(args.signal);
      const name = bare && !bare.startsWith('SIG') ? `SIG${bare}` : bare;
      const number = text(args.number);
      return number
        ? t('jobs.failure.signal', { signal: name, number })
        : t('jobs.failure.signal_name', { signal: name });
    }
    case 'timed_out':
      return t('jobs.failure.timed_out', { duration: formatDuration(Number(args.seconds ?? 0), lang) });
    case 'start_failed':
      return t('jobs.failure.start_failed', { detail: text(args.detail) || text(job.error) });
    case 'workdir_missing':
      return t('jobs.failure.workdir_missing', { path: text(args.path) });
    case 'dependency_failed':
      return t('jobs.failure.dependency_failed', { shortId: text(args.shortId) || text(args.jobId).slice(0, 8) });
    case 'worker_lost':
      return workerLost(args, t, lang);
    case 'oom':
    case 'command_not_found':
    case 'not_executable':
    case 'force_ended':
    case 'stopped':
    case 'killed':
      return t(`jobs.failure.${job.errorCode}`);
    default:
      return job.error ?? null;
  }
}

function workerLost(args: Args, t: TFunction, lang: string) {
  const time = typeof args.lastHeartbeat === 'string' ? formatDateTime(args.lastHeartbeat, lang) : null;
  switch (args.reason) {
    case 'rebooted':
    case 'unknown':
    case 'process_gone':
      return time
        ? t(`jobs.failure.worker_lost_${args.reason}`, { time })
        : t('jobs.failure.worker_lost_because', { cause: t(`events.job.worker_lost_${args.reason}`) });
    default:
      return t('jobs.failure.worker_lost');
  }
}
