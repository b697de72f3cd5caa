import { useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { graphql } from '@/api/generated';
import type { JobFilter, JobStatus } from '@/api/generated/graphql';
import { subscribeLive, usePolling } from '@/api/live';
import { useKept } from '@/lib/useKept';
import { withoutStatus } from './filters';
import { JobCountsQuery } from './queries';
import { JOB_STATUSES } from './search';

/** Says only that something changed: the counts are about all statuses, also those the list does not show. */
const JobsPulseSubscription = graphql(`
  subscription JobsPulse($project: String!, $after: String) {
    jobsChanged(project: $project, after: $after) { cursor }
  }
`);

/** Counting is dearer than showing: at most this often. */
const RECOUNT_MS = 1_000;

export interface Count {
  count: number;
  atLeast: boolean;
}

/** How many jobs there are per status under the other filters, and which queues are blocked. */
export function useJobCounts(project: string, filter: JobFilter) {
  const others = withoutStatus(filter);
  const [{ data }, refresh] = useQuery({
    query: JobCountsQuery,
    variables: { project, filter: others },
    requestPolicy: 'cache-and-network',
  });

  const recount = useRef(() => {});
  recount.current = () => refresh({ requestPolicy: 'network-only' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cursor: string | undefined;
    const stop = subscribeLive(JobsPulseSubscription, () => ({ project, after: cursor }), {
      next: ({ jobsChanged }) => {
        const isFirst = cursor === undefined;
        cursor = jobsChanged.cursor;
        if (isFirst) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          recount.current();
        }, RECOUNT_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [project]);
  usePolling(() => recount.current());

  const known = useKept(data?.project, JSON.stringify([project, others]));
  const byStatus = new Map<JobStatus, Count>(known?.jobCounts.map((each) => [each.status, each]));
  return {
    loaded: known !== null,
    of: (statuses: readonly JobStatus[]): Count => sum(statuses.map((status) => byStatus.get(status))),
    all: sum(JOB_STATUSES.map((status) => byStatus.get(status))),
    blockedQueues: known?.blockedQueues ?? [],
  };
}

function sum(counts: readonly (Count | undefined)[]): Count {
  return {
    count: counts.reduce((total, each) => total + (each?.count ?? 0), 0),
    atLeast: counts.some((each) => each?.atLeast),
  };
}
