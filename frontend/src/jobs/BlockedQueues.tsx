import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobCountsQuery } from '@/api/generated/graphql';
import { formatAgo } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useNow } from '@/lib/useNow';

type Blocked = NonNullable<JobCountsQuery['project']>['blockedQueues'][number];

/** Above the list while queued jobs wait for workers that are missing or do not answer. */
export function BlockedQueues({ project, queues }: { project: string; queues: readonly Blocked[] }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  if (queues.length === 0) return null;
  const shown = all ? queues : queues.slice(0, 2);
  const hidden = queues.length - shown.length;
  return (
    <section
      aria-label={t('jobs.blocked.title')}
      className="flex shrink-0 items-start gap-x-3 max-[620px]:flex-wrap border-b border-line bg-[var(--log-warn-bg)] px-5 py-2 text-sm"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <h2 className="shrink-0 font-medium">{t('jobs.blocked.title')}</h2>
      <ul className="flex min-w-0 flex-1 flex-wrap gap-x-6 gap-y-0.5 max-[620px]:basis-full">
        {shown.map((queue) => (
          <Line key={queue.computer.id} project={project} queue={queue} />
        ))}
        {hidden > 0 && (
          <li>
            <button type="button" className="text-accent-text hover:underline" onClick={() => setAll(true)}>
              {t('jobs.blocked.more', { count: hidden })}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

function Line({ project, queue }: { project: string; queue: Blocked }) {
  const { t } = useTranslation();
  const lang = useLang();
  const now = useNow();
  const state =
    queue.workerState === 'NONE' || !queue.lastSeenAt
      ? t('common.worker.none')
      : t('jobs.blocked.offlineSince', { time: formatAgo(queue.lastSeenAt, now, lang, t('common.now')) });
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2.5">
      <span className="font-medium">
        {t('jobs.blocked.line', { computer: queue.computer.name, count: queue.queued })}
      </span>
      <span className="text-fg-2">{state}</span>
      <Link
        to="/p/$project/computers"
        params={{ project }}
        search={{ computer: queue.computer.name }}
        className="rounded-sm font-medium text-accent-text hover:underline"
      >
        {t('jobs.blocked.openSetup')}
      </Link>
    </li>
  );
}
