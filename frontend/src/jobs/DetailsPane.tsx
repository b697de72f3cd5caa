import clsx from 'clsx';
import { CirclePlay, Ellipsis, RotateCw, Square, X } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '@/api/errors';
import type { JobAction, JobDetailFragment } from '@/api/generated/graphql';
import { withTexts } from '@/i18n';
import { formatCompact, formatInt, formatRough } from '@/lib/format';
import { lazyPart } from '@/lib/lazyPart';
import { useLang } from '@/lib/useLang';
import {
  Avatar,
  Button,
  CopyButton,
  EmptyState,
  IconButton,
  Menu,
  type MenuEntry,
  Skeleton,
  StatusChip,
  StatusGlyph,
  statusColor,
  TabPanel,
  Tabs,
  Time,
} from '@/ui';
import type { Target } from './actions';
import { failureSentence } from './failure';
import { JobFields } from './JobFields';
import { Badges, Duration } from './JobRow';
import { gpuText, jobLook, jobSubstatus, personName } from './look';
import type { DetailTab } from './search';
import { Timeline } from './Timeline';
import { useJobDetail } from './useJobDetail';
import { useJobEvents } from './useJobEvents';
import { WhyWaiting } from './WhyWaiting';

const LogPane = lazyPart(() => withTexts(['logs'], () => import('@/logs/LogPane')).then((module) => module.LogPane));

interface DetailsPaneProps {
  project: string;
  id: string;
  tab: DetailTab;
  onTab: (tab: DetailTab) => void;
  line: number | undefined;
  onLine: (line: number | undefined) => void;
  /** The address held only the beginning of the id. */
  onResolved: (id: string) => void;
  onClose: () => void;
  ask: (action: JobAction, target: Target) => void;
  entries: (target: Target) => MenuEntry[];
}

/** One job, below the list. */
export function DetailsPane(props: DetailsPaneProps): ReactElement {
  const { project, id, tab, onTab, onClose } = props;
  const { t } = useTranslation();
  const lang = useLang();
  const { job, error, missing } = useJobDetail(id);
  const fullId = job?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per id
  useEffect(() => {
    if (fullId && fullId !== id) props.onResolved(fullId);
  }, [fullId, id]);

  if (!job) {
    return (
      <section aria-label={t('jobs.details.label')} className="flex min-h-0 flex-1 flex-col bg-surface">
        <div className="flex justify-end px-4 pt-3">
          <CloseButton onClose={onClose} />
        </div>
        {error ? (
          <EmptyState compact title={t('common.loadFailedTitle')} body={failureText(t, error)} />
        ) : missing ? (
          <EmptyState compact title={t('jobs.details.missingTitle')} body={t('jobs.details.missingBody')} />
        ) : (
          <div className="flex flex-col gap-3 px-5">
            <Skeleton className="h-5 w-72" />
            <Skeleton className="h-4 w-96" />
          </div>
        )}
      </section>
    );
  }

  return (
    <section aria-label={t('jobs.details.label')} className="flex min-h-0 flex-1 flex-col bg-surface">
      <Heading {...props} job={job} />
      <WhyWaiting project={project} job={job} />
      <Failure job={job} />
      <JobTabs {...props} job={job} key={job.id} tab={tab} onTab={onTab} lang={lang} />
    </section>
  );
}

type WithJob = DetailsPaneProps & { job: JobDetailFragment };

function JobTabs({ project, job, tab, onTab, line, onLine, lang }: WithJob & { lang: string }) {
  const { t } = useTranslation();
  const events = useJobEvents(job.id);
  return (
    <Tabs
      value={tab}
      onChange={onTab}
      label={t('jobs.details.tabs')}
      tabs={[
        { value: 'log', label: t('jobs.details.log'), count: formatCompact(job.logLineCount, lang) },
        {
          value: 'events',
          label: t('jobs.details.events'),
          count: events ? formatCompact(events.length, lang) : undefined,
        },
        { value: 'details', label: t('jobs.details.details') },
      ]}
    >
      <TabPanel value="log" className="flex flex-col">
        <LogPane job={job} line={line} onLine={onLine} />
      </TabPanel>
      <TabPanel value="events" className="overflow-auto">
        <Timeline job={job} events={events} />
      </TabPanel>
      <TabPanel value="details" className="overflow-auto">
        <JobFields project={project} job={job} />
      </TabPanel>
    </Tabs>
  );
}

function Heading({ job, onClose, ask, entries }: WithJob) {
  const { t } = useTranslation();
  const target: Target = { kind: 'rows', ids: [job.id], rows: [job] };
  const percent = job.status === 'RUNNING' ? job.progress?.percent : undefined;
  const label = t(`common.status.${job.status}`);
  return (
    <div className="flex items-start gap-3 px-5 pt-3.5">
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <StatusChip
            look={jobLook(job)}
            percent={percent}
            label={percent == null ? label : `${label} ${Math.floor(percent)}%`}
          />
          <Badges job={job} />
          <h2 className="min-w-0 truncate text-lg font-semibold tracking-[-0.01em]" title={job.run.name}>
            {job.run.name}
          </h2>
          <CopyButton text={job.id} label={t('jobs.action.copyId')} className="font-mono">
            {job.shortId}
          </CopyButton>
        </div>
        <Facts job={job} />
        {job.deniedReason && <Denied reason={job.deniedReason} />}
      </div>
      <div className="flex shrink-0 items-center gap-1.5">
        <MainAction job={job} target={target} ask={ask} />
        <Menu
          entries={entries(target)}
          trigger={
            <IconButton label={t('common.more')}>
              <Ellipsis />
            </IconButton>
          }
        />
        <CloseButton onClose={onClose} />
      </div>
    </div>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <IconButton label={t('jobs.details.hide')} kbd="Esc" onClick={onClose}>
      <X />
    </IconButton>
  );
}

/** The one thing most likely wanted now. */
function MainAction({ job, target, ask }: { job: JobDetailFragment; target: Target; ask: DetailsPaneProps['ask'] }) {
  const { t } = useTranslation();
  const may = (action: JobAction) => job.allowedActions.includes(action);
  const stopAsked = job.stopRequestedAt && (job.status === 'RUNNING' || job.status === 'ASSIGNED');
  return (
    <>
      {may('UNHOLD') && (
        <Button size="sm" icon={<CirclePlay />} onClick={() => ask('UNHOLD', target)}>
          {t('jobs.action.unhold')}
        </Button>
      )}
      {(may('STOP') || stopAsked) && (
        <Button
          size="sm"
          variant="danger"
          icon={<Square />}
          disabled={Boolean(stopAsked)}
          onClick={() => ask('STOP', target)}
        >
          <span className="max-[620px]:sr-only">
            {stopAsked ? t('jobs.badge.stopRequested') : t('jobs.action.stop')}
          </span>
        </Button>
      )}
      {may('RERUN') && (
        <Button size="sm" icon={<RotateCw />} onClick={() => ask('RERUN', target)}>
          <span className="max-[620px]:sr-only">{t('jobs.action.rerun')}</span>
        </Button>
      )}
    </>
  );
}

function Denied({ reason }: { reason: string }) {
  const { t } = useTranslation();
  if (reason !== 'NOT_CREATOR' && reason !== 'VIEWER_ONLY') return null;
  return <p className="mt-1 text-xs text-fg-3">{t(`jobs.denied.${reason}`)}</p>;
}

function Facts({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation();
  const lang = useLang();
  const gpu = gpuText(job);
  const detail = jobSubstatus(job, t);
  const { progress } = job;
  const showProgress = progress && job.status === 'RUNNING';
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-3.5 gap-y-0.5 text-xs text-fg-2 [&>*]:whitespace-nowrap">
      {detail && <span className="font-medium">{detail}</span>}
      <span>{t(`common.kind.${job.run.kind}`)}</span>
      <span>
        {job.computer.name} · {gpu ? (gpu.startsWith('GPU') ? gpu : `GPU ${gpu}`) : t('common.cpuOnly')}
      </span>
      <span className="flex items-center gap-1.5">
        <Avatar name={personName(job.createdBy)} />
        {personName(job.createdBy)}
      </span>
      <span className="tnum">
        {t('jobs.details.created')} <Time at={job.createdAt} />
      </span>
      {job.startedAt && (
        <span className="tnum">
          {t('jobs.details.durationLabel')} <Duration job={job} />
        </span>
      )}
      {job.exitCode != null && (
        <span className={clsx('tnum', job.status === 'FAILED' && job.exitCode !== 0 && 'text-danger')}>
          {t('jobs.details.exit', { code: job.exitCode })}
        </span>
      )}
      {showProgress && progress.current != null && progress.total != null && (
        <span className="tnum">
          {progress.label ? `${progress.label} ` : ''}
          {t('jobs.details.progressOf', { current: progress.current, total: progress.total })}
        </span>
      )}
      {showProgress && progress.etaSeconds != null && (
        <span className="tnum">{t('jobs.eta', { duration: formatRough(progress.etaSeconds, lang) })}</span>
      )}
      {job.priority !== 0 && <span>{t('jobs.badge.priority', { value: formatInt(job.priority, lang) })}</span>}
    </div>
  );
}

/** What went wrong, in one sentence. */
function Failure({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation();
  const lang = useLang();
  const sentence = failureSentence(job, t, lang);
  if (!sentence || (job.status !== 'FAILED' && job.status !== 'CANCELED')) return null;
  const look = jobLook(job);
  return (
    <p
      role="status"
      aria-label={t('jobs.details.error')}
      className="mx-5 mt-3 flex items-start gap-2 rounded-md border px-2.5 py-1.5 text-sm text-fg"
      style={{
        borderColor: `color-mix(in srgb, ${statusColor(look)} 32%, var(--surface))`,
        background: `color-mix(in srgb, ${statusColor(look)} 7%, var(--surface))`,
      }}
    >
      <span className="mt-[3px]">
        <StatusGlyph look={look} />
      </span>
      <span className="min-w-0 break-words">{sentence}</span>
    </p>
  );
}
