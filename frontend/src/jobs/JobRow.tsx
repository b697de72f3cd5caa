import clsx from 'clsx';
import { Ellipsis, Flag } from 'lucide-react';
import { memo, type ReactNode, useRef } from 'react';
import type { JobRowFragment } from '@/api/generated/graphql';
import { useText } from '@/i18n/useText';
import { formatDuration, formatRough } from '@/lib/format';
import { useNow } from '@/lib/useNow';
import { Avatar, Badge, checkboxClass, Skeleton, StatusLabel, Time } from '@/ui';
import type { Column } from './columns';
import { gpuText, isLive, jobLook, jobSubstatus, personName } from './look';

export interface JobRowProps {
  job: JobRowFragment | undefined;
  index: number;
  top: number;
  height: number;
  /** undefined: as a card of two lines. */
  columns: readonly Column[] | undefined;
  selected: boolean;
  /** Where the keyboard is. */
  active: boolean;
  open: boolean;
  anySelected: boolean;
  gone: boolean;
}

export const JobRow = memo(function JobRow(props: JobRowProps) {
  const { job, index, top, height, columns, selected, active, open, gone } = props;
  const { t } = useText();
  // Rows are keyed by place, so the flash must not fire when another job comes to this place.
  const seen = useRef<{ id: string; status: string } | null>(null);
  if (job && seen.current?.id !== job.id) seen.current = { id: job.id, status: job.status };
  const changed = job && seen.current && seen.current.status !== job.status;

  return (
    <div
      role="row"
      id={job ? `job-${job.id}` : undefined}
      data-id={job?.id}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={job ? selected : undefined}
      title={gone ? t('jobs.noLonger') : undefined}
      className={clsx(
        'group absolute inset-x-0 border-b border-line text-sm',
        columns ? 'grid grid-cols-(--job-columns) items-center' : 'flex items-center',
        selected ? 'bg-accent-soft' : open ? 'bg-hover' : 'hover:bg-hover',
        gone && 'opacity-55',
      )}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      {changed && <i key={job.status} aria-hidden className="row-flash pointer-events-none absolute inset-0" />}
      {open && <i aria-hidden className="absolute inset-y-0 left-0 w-0.5 bg-accent" />}
      {active && (
        <i
          aria-hidden
          className="pointer-events-none absolute inset-0 hidden rounded-[3px] ring-2 ring-focus ring-inset group-focus-visible/grid:block"
        />
      )}
      {!job ? (
        <Placeholder columns={columns} />
      ) : columns ? (
        <Cells {...props} job={job} columns={columns} />
      ) : (
        <Card {...props} job={job} />
      )}
    </div>
  );
});

type Filled = JobRowProps & { job: JobRowFragment };

function Cells({ job, columns, selected, anySelected }: Filled & { columns: readonly Column[] }) {
  return (
    <>
      <div role="gridcell" className="flex justify-center pl-1">
        <RowCheck job={job} selected={selected} hidden={!anySelected && !selected} />
      </div>
      {columns.map((column) => (
        <div key={column} role="gridcell" className={CELL[column]}>
          <CellContent job={job} column={column} />
        </div>
      ))}
      <div role="gridcell" className="flex justify-center">
        <MenuButton job={job} />
      </div>
    </>
  );
}

const plain = 'min-w-0 truncate pr-3 text-fg-2';
const CELL: Record<Column, string> = {
  job: 'font-mono text-xs text-accent-text',
  status: 'min-w-0 pr-3',
  run: 'flex min-w-0 items-center gap-1.5 pr-3',
  creator: 'flex min-w-0 items-center gap-2 pr-3 text-fg-2',
  computer: plain,
  gpu: `${plain} tnum`,
  source: plain,
  attempt: `${plain} tnum`,
  duration: `${plain} text-right tnum`,
  created: 'truncate pr-3 text-right whitespace-nowrap text-fg-3 tnum',
};

function CellContent({ job, column }: { job: JobRowFragment; column: Column }): ReactNode {
  const { t } = useText();
  switch (column) {
    case 'job':
      return job.shortId;
    case 'status':
      return <StatusCell job={job} />;
    case 'run':
      return (
        <>
          <span className="truncate font-medium text-fg" title={job.run.name}>
            {job.run.name}
          </span>
          <span className="shrink-0 text-xs text-fg-3">{t(`common.kind.${job.run.kind}`)}</span>
          {job.priority !== 0 && (
            <Badge title={t('jobs.badge.priority', { value: job.priority })}>
              <Flag aria-hidden className="mr-0.5 size-2.5" />
              {job.priority}
            </Badge>
          )}
        </>
      );
    case 'creator':
      return (
        <>
          <Avatar name={personName(job.createdBy)} />
          <span className="truncate">{personName(job.createdBy)}</span>
        </>
      );
    case 'computer':
      return <span title={job.computer.name}>{job.computer.name}</span>;
    case 'gpu':
      return gpuText(job) ?? <span className="text-fg-3">{t('common.cpuOnly')}</span>;
    case 'source':
      return <Source job={job} />;
    case 'attempt':
      return job.attempt > job.maxAttempts ? (
        <span title={t('jobs.attemptBeyond', { attempt: job.attempt, max: job.maxAttempts })}>
          {t('jobs.attemptBeyond', { attempt: job.attempt, max: job.maxAttempts })}
        </span>
      ) : (
        <span className={job.attempt > 1 ? 'text-fg' : 'text-fg-3'}>
          {t('jobs.attempt', { attempt: job.attempt, max: job.maxAttempts })}
        </span>
      );
    case 'duration':
      return <Duration job={job} />;
    case 'created':
      return <Time at={job.createdAt} />;
  }
}

function StatusCell({ job }: { job: JobRowFragment }) {
  const { t, lang } = useText();
  const detail = jobSubstatus(job, t);
  const { progress } = job;
  const running = job.status === 'RUNNING' && progress;
  const eta = running && progress.etaSeconds != null ? formatRough(progress.etaSeconds, lang) : null;
  const title = [progress?.label, eta && t('jobs.eta', { duration: eta })].filter(Boolean).join(' · ');
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <StatusLabel
        look={jobLook(job)}
        percent={progress?.percent}
        label={t(`common.status.${job.status}`)}
        className="shrink-0"
      />
      {running && (
        <span className="truncate text-xs text-fg-3 tnum" title={title || undefined}>
          {Math.floor(progress.percent)}%{eta && ` · ${eta}`}
        </span>
      )}
      {detail && (
        <span className="truncate text-xs text-fg-3" title={detail}>
          {detail}
        </span>
      )}
      <Badges job={job} />
    </span>
  );
}

export function Badges({ job }: { job: JobRowFragment }) {
  const { t } = useText();
  return (
    <>
      {job.noResponse && (
        <Badge tone="no-response" title={t('jobs.badgeHint.noResponse')}>
          {t('jobs.badge.noResponse')}
        </Badge>
      )}
      {job.stopRequestedAt && isLive(job.status) && (
        <Badge tone="warning" title={t('jobs.badgeHint.stopRequested')}>
          {t('jobs.badge.stopRequested')}
        </Badge>
      )}
      {job.held && job.status === 'QUEUED' && <Badge title={t('jobs.badgeHint.held')}>{t('jobs.badge.held')}</Badge>}
    </>
  );
}

function Source({ job }: { job: JobRowFragment }) {
  const { t } = useText();
  if (!job.array || job.arrayIndex == null) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-array={job.array.id}
      title={t('jobs.source.showArray', { name: job.array.name })}
      className="max-w-full truncate rounded-sm text-accent-text hover:underline"
    >
      {t('jobs.source.array', { index: job.arrayIndex, size: job.array.size })}
    </button>
  );
}

/** From start to end, or to now; the second hand only runs in rows that run. */
export function Duration({ job }: { job: Pick<JobRowFragment, 'startedAt' | 'endedAt'> }) {
  const { lang } = useText();
  if (!job.startedAt) return <span className="text-fg-3">–</span>;
  if (!job.endedAt) return <RunningDuration startedAt={job.startedAt} />;
  return formatDuration((Date.parse(job.endedAt) - Date.parse(job.startedAt)) / 1000, lang);
}

function RunningDuration({ startedAt }: { startedAt: string }) {
  const { lang } = useText();
  const now = useNow();
  return formatDuration((now - Date.parse(startedAt)) / 1000, lang);
}

function RowCheck({ job, selected, hidden }: { job: JobRowFragment; selected: boolean; hidden: boolean }) {
  const { t } = useText();
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={selected}
      readOnly
      data-check
      aria-label={t('jobs.selectRow', { id: job.shortId })}
      className={clsx(checkboxClass, hidden && 'opacity-0 group-hover:opacity-100')}
    />
  );
}

/** Opens the grid's one menu; the grid hears the press. */
function MenuButton({ job, always }: { job: JobRowFragment; always?: boolean }) {
  const { t } = useText();
  return (
    <button
      type="button"
      tabIndex={-1}
      data-menu
      aria-label={t('jobs.rowActions', { id: job.shortId })}
      className={clsx(
        'inline-flex size-7 items-center justify-center rounded-md text-fg-2 hover:bg-active hover:text-fg',
        !always && 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100',
      )}
    >
      <Ellipsis aria-hidden className="size-4" />
    </button>
  );
}

/** Two lines on a phone: what and how it is, then who, where and when. */
function Card({ job, selected, anySelected }: Filled) {
  const { t } = useText();
  return (
    <>
      {anySelected && (
        <div role="gridcell" className="pl-4">
          <RowCheck job={job} selected={selected} hidden={false} />
        </div>
      )}
      <div role="gridcell" className="min-w-0 flex-1 py-2 pl-4">
        <div className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{job.run.name}</span>
          <Time at={job.createdAt} className="shrink-0 text-xs text-fg-3 tnum" />
        </div>
        <div className="flex min-w-0 items-center gap-2 text-xs text-fg-2">
          <StatusCell job={job} />
          <span className="ml-auto flex shrink-0 items-center gap-2 text-fg-3">
            {job.startedAt && <Duration job={job} />}
            <span className="max-w-24 truncate">{job.computer.name}</span>
            <span className="font-mono">{job.shortId}</span>
          </span>
        </div>
        <span className="sr-only">
          {t('jobs.column.creator')}: {personName(job.createdBy)}
        </span>
      </div>
      <div role="gridcell" className="px-2">
        <MenuButton job={job} always />
      </div>
    </>
  );
}

const BAR: Record<Column, string> = {
  job: 'w-14',
  status: 'w-20',
  run: 'w-3/5',
  creator: 'w-14',
  computer: 'w-16',
  gpu: 'w-8',
  source: '',
  attempt: 'w-8',
  duration: 'w-10',
  created: 'w-12',
};

function Placeholder({ columns }: { columns: readonly Column[] | undefined }) {
  if (!columns) {
    return (
      <div role="gridcell" className="flex-1 px-4">
        <Skeleton className="mb-2 w-2/3" />
        <Skeleton className="w-1/3" />
      </div>
    );
  }
  return (
    <>
      <div role="gridcell" />
      {columns.map((column) => (
        <div key={column} role="gridcell">
          {BAR[column] && <Skeleton className={BAR[column]} />}
        </div>
      ))}
      <div role="gridcell" />
    </>
  );
}
