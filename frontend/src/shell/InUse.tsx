import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { graphql } from '@/api/generated';
import { useProjectPulse } from '@/api/pulse';
import { useKept } from '@/lib/useKept';

const InUseQuery = graphql(`
  query InUse($project: String!) {
    project(key: $project) {
      id
      computers(first: 200) {
        nodes { id kind activeJobs workerState(project: $project) gpus { id inUse } }
      }
    }
  }
`);

/** Other projects' jobs use the same computers, and say nothing here. */
const REFRESH_MS = 15_000;
const AT_MOST_EVERY_MS = 2_000;
const SEGMENTS = 32;

/** What is in use now: GPUs, or jobs where there are none, and how many computers answer. */
export function InUse({ project }: { project: string }) {
  const { t } = useTranslation();
  const [{ data }, refresh] = useQuery({ query: InUseQuery, variables: { project } });
  const reread = () => {
    if (document.visibilityState === 'visible') refresh({ requestPolicy: 'network-only' });
  };
  useProjectPulse(project, AT_MOST_EVERY_MS, reread);
  const latest = useRef(reread);
  latest.current = reread;
  useEffect(() => {
    const timer = setInterval(() => latest.current(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);

  const computers = useKept(data?.project, project)?.computers.nodes;
  if (!computers || computers.length === 0) return null;
  const gpus = computers.flatMap((computer) => computer.gpus);
  const busy = gpus.filter((gpu) => gpu.inUse).length;
  const running = computers.reduce((sum, computer) => sum + computer.activeJobs, 0);
  const needWorkers = computers.filter((computer) => computer.workerState !== 'NOT_NEEDED');
  const online = needWorkers.filter((computer) => computer.workerState === 'ONLINE').length;

  return (
    <div className="rounded-lg bg-surface p-3 shadow-card">
      <div className="flex items-baseline justify-between text-xs">
        <span className="text-fg-2">{gpus.length > 0 ? t('common.inUse.gpus') : t('common.inUse.jobs')}</span>
        <span className="font-medium tnum">
          {gpus.length > 0 ? busy : running}
          {gpus.length > 0 && <span className="font-normal text-fg-3"> / {gpus.length}</span>}
        </span>
      </div>
      {gpus.length > 0 && (
        <div aria-hidden className="mt-2 flex h-1.5 gap-px overflow-hidden rounded-full">
          {Array.from({ length: Math.min(SEGMENTS, gpus.length) }, (_, i) => (
            <span
              key={i}
              className={clsx(
                'flex-1',
                i / Math.min(SEGMENTS, gpus.length) < busy / gpus.length ? 'bg-accent' : 'bg-active',
              )}
            />
          ))}
        </div>
      )}
      <p className="mt-2 text-2xs text-fg-3">{t('common.inUse.computers', { online, count: needWorkers.length })}</p>
    </div>
  );
}
