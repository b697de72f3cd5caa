import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CombinedError } from 'urql';
import { directClient } from '@/api/client';
import { subscribeLive, usePolling } from '@/api/live';
import { JobLogQuery, JobLogSubscription } from './queries';
import { LogStore } from './store';

/** What is shown at first, and how much the "load" button brings at most. */
export const TAIL = 2000;
export const MOST = 10_000;
const PAGE = 2000;

/** A job's log: its latest lines at once, new ones as they are printed, earlier ones when asked for. */
export function useLog(id: string, line: number | undefined) {
  const store = useMemo(() => {
    void id;
    return new LogStore();
  }, [id]);
  const [error, setError] = useState<CombinedError | null>(null);
  const loading = useRef(false);
  const wanted = useRef(line);

  const read = useCallback(
    async (variables: { tail?: number; fromLine?: number; toLine?: number }) => {
      const result = await directClient.query(JobLogQuery, { id, ...variables }).toPromise();
      setError(result.error ?? null);
      return result.data?.job?.log;
    },
    [id],
  );

  /** Loads lines before the first, down to a number; true when there were any. */
  const loadEarlier = useCallback(
    async (downTo?: number): Promise<boolean> => {
      const first = store.first();
      if (first <= 1 || loading.current) return false;
      loading.current = true;
      try {
        let top = first;
        const end = Math.max(1, downTo ?? first - PAGE);
        while (top > end) {
          const from = Math.max(end, top - PAGE);
          const log = await read({ fromLine: from, toLine: top - 1 });
          if (!log) return false;
          store.prepend(log.lines);
          top = from;
        }
        return true;
      } finally {
        loading.current = false;
      }
    },
    [store, read],
  );

  useEffect(() => {
    let stale = false;
    let stop = () => {};
    const start = async () => {
      const log = await read({ tail: TAIL });
      if (stale || !log) return;
      store.append(log.lines, log.nextLine, log.totalLines, log.ended);
      if (wanted.current && wanted.current < store.first()) await loadEarlier(Math.max(1, wanted.current - 50));
      if (stale || log.ended) return;
      stop = subscribeLive(JobLogSubscription, () => ({ id, fromLine: store.next }), {
        next: ({ jobLog }) => store.append(jobLog.lines, jobLog.nextLine, jobLog.totalLines, jobLog.ended),
      });
    };
    void start();
    return () => {
      stale = true;
      stop();
    };
  }, [id, store, read, loadEarlier]);

  usePolling(() => {
    if (!store.loaded || store.ended) return;
    void read({ fromLine: store.next, toLine: store.next + MOST - 1 }).then((log) => {
      if (log) store.append(log.lines, log.nextLine, log.totalLines, log.ended);
    });
  });

  return { store, error, loadEarlier };
}
