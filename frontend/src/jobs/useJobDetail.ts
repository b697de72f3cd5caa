import { useCallback } from 'react';
import { useQuery, useSubscription } from 'urql';
import { usePolling } from '@/api/live';
import { useKept } from '@/lib/useKept';
import { JobChangedSubscription, JobDetailQuery } from './queries';

/** One job, kept up to date. The id may be the beginning of one. */
export function useJobDetail(id: string) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: JobDetailQuery,
    variables: { id },
    requestPolicy: 'cache-and-network',
  });
  // While the next job is on its way, the last answer is still about the one before.
  const mine = data && (!data.job || data.job.id.startsWith(id)) ? data : null;
  const answer = useKept(mine, id);
  const job = answer?.job ?? null;
  useSubscription({ query: JobChangedSubscription, variables: { id: job?.id ?? '' }, pause: job === null });
  usePolling(useCallback(() => refresh({ requestPolicy: 'network-only' }), [refresh]));
  return { job, error, missing: !fetching && !error && answer !== null && job === null };
}
