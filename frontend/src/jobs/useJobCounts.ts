import { useQuery } from 'urql';
import type { JobFilter, JobStatus } from '@/api/generated/graphql';
import { useProjectPulse } from '@/api/pulse';
import { useKept } from '@/lib/useKept';
import { withoutStatus } from './filters';
import { JobCountsQuery } from './queries';
import { JOB_STATUSES } from './search';

/** Counting is dearer than showing: at most this often. */
const RECOUNT_MS = 1_000;

export interface Count {
  count: number;
  atLeast: boolean;
}

/** How many jobs there are per status, also those the list does not show, under the other filters, and which queues are blocked. */
export function useJobCounts(project: string, filter: JobFilter) {
  const others = withoutStatus(filter);
  const [{ data }, refresh] = useQuery({
    query: JobCountsQuery,
    variables: { project, filter: others },
    requestPolicy: 'cache-and-network',
  });

  useProjectPulse(project, RECOUNT_MS, () => refresh({ requestPolicy: 'network-only' }));

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
