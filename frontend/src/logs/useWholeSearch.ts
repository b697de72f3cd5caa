import { useEffect, useState } from 'react';
import type { CombinedError } from 'urql';
import { directClient } from '@/api/client';
import type { LevelChoice } from './filter';
import { JobLogQuery } from './queries';
import type { Line } from './store';
import { MOST } from './useLog';

const SETTLE_MS = 250;

/** What the server found in the whole log, up to the line that was next then. */
export interface Found {
  lines: readonly Line[];
  matching: number;
  nextLine: number;
  truncated: boolean;
}

/** Searches the whole log on the server, while `on`; again when what is wanted changes. */
export function useWholeSearch(id: string, text: string, level: LevelChoice, on: boolean) {
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<CombinedError | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setError(null);
    if (!on) {
      setFound(null);
      return undefined;
    }
    let stale = false;
    setBusy(true);
    const timer = setTimeout(async () => {
      const variables = { id, tail: MOST, search: text, ...(level === 'all' ? {} : { levels: [level] }) };
      const result = await directClient.query(JobLogQuery, variables).toPromise();
      if (stale) return;
      const log = result.data?.job?.log;
      setBusy(false);
      setError(result.error ?? null);
      if (log)
        setFound({
          lines: log.lines.filter((line) => !line.partial),
          matching: log.matchingLines,
          nextLine: log.nextLine,
          truncated: log.truncated,
        });
    }, SETTLE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
      setBusy(false);
    };
  }, [id, text, level, on]);
  return { found: on ? found : null, error, busy };
}
