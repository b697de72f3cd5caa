import { Search } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '@/api/errors';
import { Button } from '@/ui';
import { type Log, MOST } from './useLog';
import type { useWholeSearch } from './useWholeSearch';

interface LogNoticeProps {
  log: Log;
  filtered: boolean;
  whole: boolean;
  onWhole: (on: boolean) => void;
  search: ReturnType<typeof useWholeSearch>;
  /** How many lines are shown. */
  shown: number;
  onLatest: () => void;
}

/** Which part of the log is shown, and how to see more of it: M-71, M-72, and the search of all of it. */
export function LogNotice(props: LogNoticeProps): ReactElement | null {
  const { log, filtered, whole, search } = props;
  const { t } = useTranslation();
  const { store } = log;
  if (!store.loaded) return null;
  const hidden = store.first() > 1 || !store.atEnd;
  const failed = search.error ?? log.error;
  if (!hidden && !whole && !failed) return null;
  return (
    <div
      role="status"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-0.5 text-xs text-fg-2 tnum"
    >
      {failed ? (
        <span className="text-danger">{failureText(t, failed)}</span>
      ) : (
        <span className="pl-1">{sentence()}</span>
      )}
      {buttons()}
    </div>
  );

  function sentence(): string {
    if (filtered && whole) {
      if (search.busy || !search.found) return t('logs.searching');
      if (!search.found.truncated) return t('logs.wholeSearched', { count: store.total });
      // Time or room was up before the beginning of the log.
      return t('logs.latestMatches', { count: props.shown });
    }
    if (!store.atEnd) return t('logs.showingRange', { from: store.first(), to: store.next - 1, count: store.total });
    return t('logs.showingLatest', { count: store.lines.length, total: store.total });
  }

  function buttons() {
    if (filtered) {
      return (
        <Button size="sm" variant="ghost" icon={<Search />} onClick={() => props.onWhole(!whole)}>
          {whole ? t('logs.searchLoaded') : t('logs.searchWhole')}
        </Button>
      );
    }
    if (!store.atEnd) {
      return (
        <Button size="sm" variant="ghost" onClick={props.onLatest}>
          {t('logs.toLatest')}
        </Button>
      );
    }
    const enough = store.total > MOST;
    if (enough && store.total - store.first() + 1 >= MOST) return null;
    return (
      <Button
        size="sm"
        variant="ghost"
        busy={log.busy}
        onClick={() => void log.loadEarlier(enough ? store.total - MOST + 1 : 1)}
      >
        {enough ? t('logs.loadLatest', { count: MOST }) : t('logs.loadAll')}
      </Button>
    );
  }
}
