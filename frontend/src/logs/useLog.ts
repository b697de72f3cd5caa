import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { CombinedError } from 'urql';
import { directClient } from '@/api/client';
import type { JobLogQueryVariables } from '@/api/generated/graphql';
import { subscribeLive, usePolling } from '@/api/live';
import { JobLogQuery, JobLogSubscription } from './queries';
import { LogStore } from './store';

/** What is shown at first, and how much the "load" button brings at most. */
export const TAIL = 2000;
export const MOST = 10_000;
/** How much scrolling to an end of what is loaded brings. */
const PAGE = 2000;
/** A line this far before the first is jumped to; nearer ones are loaded together with all between. */
const NEAR = 10_000;

/** A job's log: its latest lines at once, new ones as they are printed, others when asked for. */
export function useLog(id: string) {
  const store = useMemo(() => {
    void id;
    return new LogStore();
  }, [id]);
  const [error, setError] = useState<CombinedError | null>(null);
  const [busy, setBusy] = useState(false);
  const loading = useRef(false);

  const read = useCallback(
    async (variables: Omit<JobLogQueryVariables, 'id'>) => {
      const result = await directClient.query(JobLogQuery, { id, ...variables }).toPromise();
      setError(result.error ?? null);
      return result.data?.job?.log ?? null;
    },
    [id],
  );

  /** All lines of a range; an answer has room for a limited number, and the next goes on from there. */
  const readRange = useCallback(
    async (fromLine: number, toLine: number) => {
      const first = await read({ fromLine, toLine });
      if (!first) return null;
      const lines = [...first.lines];
      let { nextLine, totalLines, ended } = first;
      while (nextLine <= Math.min(toLine, totalLines)) {
        const more = await read({ fromLine: nextLine, toLine });
        if (!more || more.nextLine <= nextLine) return null;
        lines.push(...more.lines);
        ({ nextLine, totalLines, ended } = more);
      }
      return { lines, nextLine, totalLines, ended };
    },
    [read],
  );

  /** One thing is loaded at a time; false when something else is on its way. */
  const alone = useCallback(async (work: () => Promise<void>) => {
    if (loading.current) return false;
    loading.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      loading.current = false;
      setBusy(false);
    }
    return true;
  }, []);

  const toLatest = useCallback(
    () =>
      alone(async () => {
        const log = await read({ tail: TAIL });
        if (log) store.replace(log, true);
      }),
    [alone, read, store],
  );

  /** Loads lines before the first, down to a number. */
  const loadEarlier = useCallback(
    (downTo?: number) =>
      alone(async () => {
        const end = Math.max(1, downTo ?? store.first() - PAGE);
        while (store.first() > end) {
          const first = store.first();
          const part = await readRange(Math.max(end, first - PAGE), first - 1);
          if (!part || part.lines.length === 0 || store.first() !== first) return;
          store.prepend(part.lines);
        }
      }),
    [alone, readRange, store],
  );

  /** Loads lines after the last, when what is loaded does not reach to the end. */
  const loadLater = useCallback(
    () =>
      alone(async () => {
        if (store.atEnd) return;
        const part = await readRange(store.next, store.next + PAGE - 1);
        if (!part) return;
        // Now a continuation again: what follows comes by itself.
        const atEnd = part.nextLine > part.totalLines;
        store.atEnd = true;
        store.append(part);
        store.atEnd = atEnd;
      }),
    [alone, readRange, store],
  );

  /** Makes sure that a line is loaded. */
  const goTo = useCallback(
    async (line: number) => {
      if (store.has(line) || line > store.total) return;
      if (line < store.first() && store.first() - line <= NEAR) {
        await loadEarlier(line - 200);
        return;
      }
      await alone(async () => {
        const part = await readRange(Math.max(1, line - PAGE / 2), line + PAGE / 2 - 1);
        if (part) store.replace(part, part.nextLine > part.totalLines);
      });
    },
    [store, loadEarlier, alone, readRange],
  );

  const start = useCallback(async () => {
    const log = await read({ tail: TAIL });
    if (log && !store.loaded) store.append(log);
  }, [read, store]);

  useEffect(() => {
    void start();
  }, [start]);

  const state = () => `${store.loaded} ${store.atEnd} ${store.ended}`;
  const growing = useSyncExternalStore(store.subscribe, state) === 'true true false';
  useEffect(() => {
    if (!growing) return undefined;
    const fill = async (upTo: number) => {
      const part = await readRange(store.next, upTo);
      if (part) store.append(part);
    };
    return subscribeLive(JobLogSubscription, () => ({ id, fromLine: store.next }), {
      next: ({ jobLog }) => {
        if (!store.append(jobLog)) void fill(jobLog.nextLine - 1);
      },
    });
  }, [id, store, growing, readRange]);

  usePolling(() => {
    if (!store.loaded) void start();
    else if (store.atEnd && !store.ended) {
      void read({ fromLine: store.next, toLine: store.next + MOST - 1 }).then((log) => {
        if (log) store.append(log);
      });
    }
  });

  return { store, error, busy, start, loadEarlier, loadLater, toLatest, goTo };
}

export type Log = ReturnType<typeof useLog>;
