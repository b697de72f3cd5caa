import { useCallback } from 'react';
import { useQuery, useSubscription } from 'urql';
import { usePolling } from '@/api/live';
import { JobChangedSubscription, JobDetailQuery } from './queries';

/** One job, kept up to date. The id may be the beginning of one. */
export function useJobDetail(id: string) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: JobDetailQuery,
    variables: { id },
    requestPolicy: 'cache-and-network',
  });
  const job = data?.job ?? null;
  useSubscription({ query: JobChangedSubscription, variables: { id: job?.id ?? '' }, pause: job === null });
  usePolling(useCallback(() => refresh({ requestPolicy: 'network-only' }), [refresh]));
  return { job, error, missing: !fetching && !error && data !== undefined && job === null };
}
