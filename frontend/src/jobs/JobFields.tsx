import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { JobDetailFragment } from '@/api/generated/graphql';
import { formatDuration, formatExact, formatInt } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { CopyBlock, CopyButton, Skeleton, StatusLabel, Time } from '@/ui';
import { exitCodeMeaning, failureSentence } from './failure';
import { Badges, Duration } from './JobRow';
import { gpuText, jobLook, jobSubstatus, personName } from './look';
import { JobSnapshotQuery } from './queries';

interface JobFieldsProps {
  project: string;
  job: JobDetailFragment;
}

/** Every field of a job, and what was launched. */
export function JobFields({ project, job }: JobFieldsProps) {
  return (
    <div className="grid gap-x-10 gap-y-6 px-5 py-4 min-[1100px]:grid-cols-2">
      <Fields project={project} job={job} />
      <Snapshot jobId={job.id} tags={job.run.tags} />
    </div>
  );
}

function Fields({ project, job }: JobFieldsProps) {
  const { t } = useTranslation();
  const lang = useLang();
  const detail = jobSubstatus(job, t);
  const meaning = exitCodeMeaning(job.exitCode, t);
  const failure = failureSentence(job, t, lang);
  return (
    <section aria-label={t('jobs.details.overview')}>
      <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        <Fact label={t('jobs.details.jobId')}>
          <Id id={job.id} />
        </Fact>
        <Fact label={t('jobs.details.status')}>
          <span className="flex flex-wrap items-center gap-1.5">
            <StatusLabel look={jobLook(job)} percent={job.progress?.percent} label={t(`common.status.${job.status}`)} />
            {detail && <span className="text-xs text-fg-3">{detail}</span>}
            <Badges job={job} />
          </span>
        </Fact>
        {failure && (
          <Fact label={t('jobs.details.error')}>
            <span className={job.status === 'FAILED' ? 'text-danger' : undefined}>{failure}</span>
          </Fact>
        )}
        <Fact label={t('jobs.details.exitCode')}>
          {job.exitCode == null ? '–' : <span className="tnum">{job.exitCode}</span>}
          {meaning && <span className="ml-2 text-xs text-fg-3">{meaning}</span>}
        </Fact>
        <Fact label={t('jobs.details.heartbeat')}>{job.heartbeatAt ? <Time at={job.heartbeatAt} /> : '–'}</Fact>
        <Fact label={t('jobs.details.computer')}>
          <Link
            to="/p/$project/computers"
            params={{ project }}
            search={{ computer: job.computer.name }}
            className="rounded-sm text-accent-text hover:underline"
          >
            {job.computer.name}
          </Link>
        </Fact>
        <Fact label={t('jobs.details.gpu')}>{gpuText(job) ?? t('common.cpuOnly')}</Fact>
        <Fact label={t('jobs.details.creator')}>{personName(job.createdBy)}</Fact>
        <Fact label={t('jobs.details.run')}>{job.run.name}</Fact>
        <Fact label={t('jobs.details.runId')}>
          <Id id={job.run.id} />
        </Fact>
        <Fact label={t('jobs.details.kind')}>{t(`common.kind.${job.run.kind}`)}</Fact>
        <Fact label={t('jobs.details.experiment')}>{job.run.experiment.name}</Fact>
        <Fact label={t('jobs.details.priority')}>{formatInt(job.priority, lang)}</Fact>
        <Fact label={t('jobs.details.attempt')}>
          {job.attempt > job.maxAttempts
            ? t('jobs.attemptBeyond', { attempt: job.attempt, max: job.maxAttempts })
            : t('jobs.attempt', { attempt: job.attempt, max: job.maxAttempts })}
        </Fact>
        {job.array && <Fact label={t('jobs.details.array')}>{job.array.name}</Fact>}
        {job.array && <Fact label={t('jobs.details.arrayIndex')}>{job.arrayIndex}</Fact>}
        {job.after.length > 0 && (
          <Fact label={t('jobs.details.waitsFor')}>
            <span className="flex flex-wrap gap-x-3">
              {job.after.map((each) => (
                <JobLink key={each.id} project={project} job={each} />
              ))}
            </span>
          </Fact>
        )}
        {job.retryOf && (
          <Fact label={t('jobs.details.retryOf')}>
            <JobLink project={project} job={job.retryOf} />
          </Fact>
        )}
        {job.retriedBy && (
          <Fact label={t('jobs.details.retriedBy')}>
            <JobLink project={project} job={job.retriedBy} />
          </Fact>
        )}
        <When label={t('jobs.details.createdAt')} at={job.createdAt} />
        <When label={t('jobs.details.assignedAt')} at={job.assignedAt} />
        <When label={t('jobs.details.startedAt')} at={job.startedAt} />
        <When label={t('jobs.details.endedAt')} at={job.endedAt} />
        {job.startedAt && (
          <Fact label={t('jobs.details.durationLabel')}>
            <Duration job={job} />
          </Fact>
        )}
        {job.stopRequestedAt && (
          <Fact label={t('jobs.details.stopRequested')}>
            {t('jobs.details.stopRequestedBy', {
              time: formatExact(job.stopRequestedAt, lang),
              name: job.stopRequestedBy ? personName(job.stopRequestedBy) : '',
            })}
          </Fact>
        )}
        {job.cost && (
          <Fact label={t('jobs.details.cost')}>
            {new Intl.NumberFormat(lang, { style: 'currency', currency: job.cost.currency }).format(
              Number(job.cost.amount),
            )}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Snapshot({ jobId, tags }: { jobId: string; tags: unknown }) {
  const { t } = useTranslation();
  const lang = useLang();
  const [{ data }] = useQuery({ query: JobSnapshotQuery, variables: { id: jobId } });
  const snapshot = data?.job?.snapshot;
  return (
    <section aria-labelledby="snapshot-title" className="min-w-0">
      <h3 id="snapshot-title" className="text-sm font-medium">
        {t('jobs.details.snapshot')}
        <span className="ml-2 text-xs font-normal text-fg-3">{t('jobs.details.snapshotHint')}</span>
      </h3>
      {!snapshot ? (
        <Skeleton className="mt-3 w-2/3" />
      ) : (
        <>
          <CopyBlock text={snapshot.command} label={t('jobs.details.copyCommand')} className="mt-2 mb-3" />
          <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
            <Fact label={t('jobs.details.folder')}>
              {snapshot.workingDirectory ? (
                <code className="font-mono text-xs break-all">{snapshot.workingDirectory}</code>
              ) : (
                <span className="text-fg-3">{t('jobs.details.folderDefault')}</span>
              )}
            </Fact>
            <Fact label={t('jobs.details.timeLimit')}>
              {snapshot.timeLimitSeconds == null ? (
                <span className="text-fg-3">{t('jobs.details.noTimeLimit')}</span>
              ) : (
                formatDuration(snapshot.timeLimitSeconds, lang)
              )}
            </Fact>
            <Fact label={t('jobs.details.parameters')}>
              <Values value={snapshot.parameters} />
            </Fact>
            <Fact label={t('jobs.details.tags')}>
              <Values value={tags} />
            </Fact>
            <Fact label={t('jobs.details.environment')}>
              <Values value={snapshot.environment} />
            </Fact>
            {snapshot.secretNames.length > 0 && (
              <Fact label={t('jobs.details.secrets')}>
                {snapshot.secretNames.map((name) => (
                  <div key={name} className="font-mono text-xs leading-5" title={t('jobs.details.secretHidden')}>
                    {name} = •••
                  </div>
                ))}
              </Fact>
            )}
          </dl>
        </>
      )}
    </section>
  );
}

/** A JSON object as lines of name and value. */
function Values({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const entries = value && typeof value === 'object' ? Object.entries(value) : [];
  if (entries.length === 0) return <span className="text-fg-3">{t('jobs.details.empty')}</span>;
  return entries.map(([key, each]) => (
    <div key={key} className="font-mono text-xs leading-5 break-all">
      <span className="text-fg-3">{key} = </span>
      {typeof each === 'string' ? each : JSON.stringify(each)}
    </div>
  ));
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function When({ label, at }: { label: string; at: string | null | undefined }) {
  const lang = useLang();
  if (!at) return null;
  return (
    <Fact label={label}>
      <time dateTime={at} className="tnum">
        {formatExact(at, lang)}
      </time>
    </Fact>
  );
}

function Id({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <span className="flex items-center gap-1">
      <code className="truncate font-mono text-xs">{id}</code>
      <CopyButton text={id} label={t('jobs.details.copyId')} />
    </span>
  );
}

function JobLink({ project, job }: { project: string; job: { id: string; shortId: string } }) {
  return (
    <Link
      to="/p/$project/jobs"
      params={{ project }}
      search={(search) => ({ ...search, job: job.id })}
      className="rounded-sm font-mono text-xs leading-5 text-accent-text hover:underline"
    >
      {job.shortId}
    </Link>
  );
}
