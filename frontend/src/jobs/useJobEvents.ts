import { useCallback, useEffect, useRef, useState } from 'react';
import { directClient } from '@/api/client';
import type { JobEventItemFragment } from '@/api/generated/graphql';
import { subscribeLive, usePolling } from '@/api/live';
import { JobEventsQuery, JobEventsSubscription } from './queries';

const PAGE = 200;

/** All events of a job, oldest first, and each new one. null until the first answer. */
export function useJobEvents(jobId: string): readonly JobEventItemFragment[] | null {
  const [events, setEvents] = useState<readonly JobEventItemFragment[] | null>(null);
  const cursor = useRef<string | undefined>(undefined);

  const add = useCallback((fresh: readonly JobEventItemFragment[]) => {
    cursor.current = fresh.at(-1)?.cursor ?? cursor.current;
    setEvents((old) => {
      const seen = new Set(old?.map((event) => event.id));
      const news = fresh.filter((event) => !seen.has(event.id));
      return news.length > 0 || old === null ? [...(old ?? []), ...news] : old;
    });
  }, []);

  /** Reads on from the last known event to the end. */
  const read = useCallback(
    async (isStale: () => boolean) => {
      for (;;) {
        const variables = { id: jobId, first: PAGE, after: cursor.current };
        const { data } = await directClient.query(JobEventsQuery, variables).toPromise();
        const page = data?.job?.events;
        if (isStale()) return;
        add(page?.nodes ?? []);
        if (!page?.pageInfo.hasNextPage || page.nodes.length === 0) return;
      }
    },
    [jobId, add],
  );

  useEffect(() => {
    let stale = false;
    let stop = () => {};
    cursor.current = undefined;
    setEvents(null);
    void read(() => stale).then(() => {
      if (stale) return;
      stop = subscribeLive(JobEventsSubscription, () => ({ id: jobId, after: cursor.current }), {
        next: ({ jobEvents }) => add([jobEvents]),
      });
    });
    return () => {
      stale = true;
      stop();
    };
  }, [jobId, read, add]);
  usePolling(() => void read(() => false));
  return events;
}
