import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { JobDetailFragment, JobEventItemFragment } from '@/api/generated/graphql';
import { formatClock, formatDay, formatDuration, formatExact, formatStep } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useNow } from '@/lib/useNow';
import { Avatar, Badge, EmptyState, Skeleton, StatusGlyph, type StatusLook, statusColor } from '@/ui';
import { eventLook, eventText } from './eventText';
import { jobLook, personName } from './look';

interface TimelineProps {
  job: JobDetailFragment;
  events: readonly JobEventItemFragment[] | null;
}

/** What happened to a job, newest first, under a bar of how long it waited and ran. */
export function Timeline({ job, events }: TimelineProps) {
  const { t } = useTranslation();
  if (events === null) {
    return (
      <div className="flex flex-col gap-4 px-5 py-5">
        <Skeleton className="w-80" />
        <Skeleton className="w-64" />
        <Skeleton className="w-72" />
      </div>
    );
  }
  if (events.length === 0) return <EmptyState compact title={t('events.empty')} body={t('events.emptyBody')} />;
  const newestFirst = [...events].reverse();
  return (
    <div className="max-w-3xl px-5 py-4">
      <Spans job={job} />
      <ol aria-label={t('events.label')}>
        {newestFirst.map((event, index) => (
          <Item key={event.id} event={event} older={newestFirst[index + 1]} attempt={job.attempt} />
        ))}
      </ol>
    </div>
  );
}

interface ItemProps {
  event: JobEventItemFragment;
  older: JobEventItemFragment | undefined;
  /** The job's own: events of another say so. */
  attempt: number;
}

function Item({ event, older, attempt }: ItemProps) {
  const { t } = useTranslation();
  const lang = useLang();
  const gap = older ? (Date.parse(event.time) - Date.parse(older.time)) / 1000 : 0;
  const step = formatStep(event.durationSeconds ?? 0, lang);
  const day = formatDay(event.time, lang);
  const firstOfDay = older ? day !== formatDay(older.time, lang) : day !== formatDay(new Date().toISOString(), lang);
  return (
    <li className="relative grid grid-cols-[64px_14px_minmax(0,1fr)_auto] items-start gap-3 pb-3.5 last:pb-0">
      <time
        dateTime={event.time}
        title={formatExact(event.time, lang)}
        className="text-right text-xs leading-5 text-fg-3 tnum"
      >
        {formatClock(event.time, lang)}
        {firstOfDay && <span className="block text-2xs">{day}</span>}
      </time>
      {older && <span aria-hidden className="absolute top-[22px] bottom-[-1px] left-[82.5px] w-px bg-line-strong" />}
      <span className="mt-[3px]">
        <StatusGlyph look={eventLook(event.type, event.severity)} />
      </span>
      <p
        className={clsx(
          'flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm break-words',
          event.severity === 'ERROR' && 'text-danger',
          event.severity === 'WARNING' && 'text-warning',
        )}
      >
        <span className="min-w-0">{eventText(event, t, lang)}</span>
        {event.actor && (
          <span className="inline-flex items-center gap-1.5 text-xs text-fg-2">
            <Avatar name={personName(event.actor)} />
            {t('events.by', { name: personName(event.actor) })}
          </span>
        )}
        {event.attempt !== attempt && <Badge>{t('events.attempt', { attempt: event.attempt })}</Badge>}
        {step && <span className="text-xs text-fg-3 tnum">{t('events.step', { duration: step })}</span>}
      </p>
      <span className="text-xs leading-5 text-fg-3 tnum">{gap >= 1 ? `+${formatDuration(gap, lang)}` : ''}</span>
    </li>
  );
}

/** How long it waited, was being prepared, and ran. */
function Spans({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation();
  const lang = useLang();
  const now = useNow();
  const spans = jobSpans(job, now).filter((span) => span.seconds >= 1);
  if (spans.length === 0) return null;
  const sum = spans.reduce((total, span) => total + span.seconds, 0);
  const faint = (name: string) => ({ opacity: name === 'waiting' ? 0.45 : 1 });
  return (
    <div className="mb-5">
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {spans.map((span) => (
          <span
            key={span.name}
            className="h-full min-w-1.5 rounded-[1px]"
            style={{ flexGrow: span.seconds / sum, background: statusColor(span.look), ...faint(span.name) }}
          />
        ))}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-5 text-xs">
        {spans.map((span) => (
          <div key={span.name} className="flex items-center gap-1.5">
            <span
              aria-hidden
              className="size-2 rounded-full"
              style={{ background: statusColor(span.look), ...faint(span.name) }}
            />
            <dt className="text-fg-2">{t(`events.span.${span.name}`)}</dt>
            <dd className="font-medium tnum">{formatDuration(span.seconds, lang)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface Span {
  name: 'waiting' | 'starting' | 'running';
  seconds: number;
  look: StatusLook;
}

type Times = Pick<
  JobDetailFragment,
  'createdAt' | 'assignedAt' | 'startedAt' | 'endedAt' | 'status' | 'phase' | 'endReason' | 'held'
>;

export function jobSpans(job: Times, now: number): Span[] {
  const at = (time: string | null | undefined) => (time ? Date.parse(time) : null);
  const created = Date.parse(job.createdAt);
  const assigned = at(job.assignedAt);
  const started = at(job.startedAt);
  const end = at(job.endedAt) ?? now;
  const spans: Span[] = [{ name: 'waiting', seconds: ((assigned ?? started ?? end) - created) / 1000, look: 'queued' }];
  if (assigned !== null) {
    spans.push({ name: 'starting', seconds: ((started ?? end) - assigned) / 1000, look: 'assigned' });
  }
  if (started !== null) {
    spans.push({ name: 'running', seconds: (end - started) / 1000, look: job.endedAt ? jobLook(job) : 'running' });
  }
  return spans;
}
