import { ArrowDownToLine, ArrowDownUp, ChevronDown, ChevronUp, Clock, Download, Search, WrapText } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { serverUrl } from '@/api/base';
import { directClient } from '@/api/client';
import { failureText } from '@/api/errors';
import type { JobStatus } from '@/api/generated/graphql';
import { formatCompact } from '@/lib/format';
import { Button, EmptyState, IconButton, Menu, SearchInput, Segmented, Toggle } from '@/ui';
import { LogView } from './LogView';
import { JobLogQuery } from './queries';
import type { Line } from './store';
import { MOST, useLog } from './useLog';

export interface LogPaneProps {
  job: { id: string; status: JobStatus; run: { name: string } };
  /** A line to show at first, from the address. */
  line?: number | undefined;
  /** Called when a link to a line is made. */
  onLine?: (line: number | undefined) => void;
}

type LevelChoice = 'all' | 'INFO' | 'WARNING' | 'ERROR';

/** What a search of the whole log on the server found; null: the loaded lines are searched. */
interface WholeSearch {
  text: string;
  lines: readonly Line[];
  matching: number;
  truncated: boolean;
}

export function LogPane({ job, line, onLine }: LogPaneProps): ReactElement {
  const { t, i18n } = useTranslation();
  const { store, error, loadEarlier } = useLog(job.id, line);
  const version = useSyncExternalStore(store.subscribe, store.snapshot);
  const [text, setText] = useState('');
  const [level, setLevel] = useState<LevelChoice>('all');
  const [times, setTimes] = useState(true);
  const [wrap, setWrap] = useState(false);
  const [follow, setFollow] = useState(line === undefined);
  const [newestFirst, setNewestFirst] = useState(false);
  const [at, setAt] = useState(0);
  const [jumped, setJumped] = useState<number | undefined>(line);
  const [whole, setWhole] = useState<WholeSearch | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const wanted = text.trim().toLowerCase();
  const shown = useMemo(() => {
    void version;
    let lines: readonly Line[] = store.lines;
    if (whole) lines = whole.lines;
    else if (wanted) lines = store.search(wanted).map((i) => store.lines[i] as Line);
    if (level !== 'all') lines = lines.filter((l) => l.level === level);
    return newestFirst ? [...lines].reverse() : [...lines];
  }, [store, version, wanted, level, newestFirst, whole]);

  const live = job.status === 'RUNNING' || job.status === 'ASSIGNED' || job.status === 'QUEUED';
  const hidden = store.first() - 1;
  const filtered = wanted !== '' || level !== 'all';
  const current = wanted ? shown[at]?.number : jumped;

  const search = (next: string) => {
    setText(next);
    setAt(0);
    setWhole(null);
  };
  const step = (by: number) => {
    if (shown.length === 0) return;
    setFollow(false);
    setAt((((at + by) % shown.length) + shown.length) % shown.length);
  };
  const searchWhole = async () => {
    const { data } = await directClient.query(JobLogQuery, { id: job.id, search: text.trim() }).toPromise();
    const log = data?.job?.log;
    if (log) setWhole({ text, lines: log.lines, matching: log.matchingLines, truncated: log.truncated });
    setAt(0);
  };
  const link = (number: number) => {
    setJumped(number);
    setFollow(false);
    onLine?.(number);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
      return;
    }
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'f') setFollow((x) => !x);
    else if (event.key === 'w') setWrap((x) => !x);
    else if (event.key === 'n') step(1);
    else if (event.key === 'N') step(-1);
    else if (event.key === 'End' || event.key === 'G') setFollow(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onSearchKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
    if (event.key === 'Escape' && text) {
      event.stopPropagation();
      search('');
    }
  };

  const count = (n: number) => formatCompact(n, i18n.language);
  const file = (query: string) => serverUrl(`api/jobs/${job.id}/log${query}`);
  return (
    <section
      aria-label={t('logs.region')}
      className="relative flex min-h-0 flex-1 flex-col bg-sunken"
      onKeyDown={onKeyDown}
    >
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-1.5 gap-y-1 border-b border-line bg-surface px-3 py-1.5">
        <SearchInput
          ref={input}
          size="sm"
          label={t('logs.search')}
          placeholder={t('logs.search')}
          value={text}
          onChange={search}
          onKeyDown={onSearchKey}
          kbd="Ctrl F"
          className="w-64 max-w-full"
        />
        {wanted && (
          <span role="status" className="flex items-center gap-1 text-xs whitespace-nowrap text-fg-3 tnum">
            {t('logs.matching', { count: whole ? whole.matching : shown.length })}
            <IconButton size="xs" label={t('logs.previous')} kbd="⇧ ↵" onClick={() => step(-1)}>
              <ChevronUp />
            </IconButton>
            <IconButton size="xs" label={t('logs.next')} kbd="↵" onClick={() => step(1)}>
              <ChevronDown />
            </IconButton>
            {!whole && hidden > 0 && (
              <Button size="sm" variant="ghost" icon={<Search />} onClick={() => void searchWhole()}>
                {t('logs.searchWhole')}
              </Button>
            )}
          </span>
        )}
        <Segmented<LevelChoice>
          label={t('logs.level')}
          value={level}
          onChange={setLevel}
          options={[
            { value: 'all', label: t('logs.allLevels') },
            { value: 'INFO', label: t('logs.info') },
            { value: 'WARNING', label: t('logs.warning'), count: count(store.counts.WARNING), tone: 'warn' },
            { value: 'ERROR', label: t('logs.error'), count: count(store.counts.ERROR), tone: 'error' },
          ]}
        />
        <span className="ml-auto" />
        <Toggle
          pressed={newestFirst}
          onChange={setNewestFirst}
          icon={<ArrowDownUp />}
          label={newestFirst ? t('logs.newestFirst') : t('logs.oldestFirst')}
        />
        <Toggle pressed={times} onChange={setTimes} icon={<Clock />} label={t('logs.times')} />
        <Toggle pressed={wrap} onChange={setWrap} icon={<WrapText />} label={t('logs.wrap')} />
        <Toggle
          pressed={follow}
          onChange={setFollow}
          icon={<ArrowDownToLine />}
          label={t('logs.follow')}
          live={live && !store.ended}
        />
        <Menu
          trigger={
            <IconButton label={t('logs.download')}>
              <Download />
            </IconButton>
          }
          entries={[
            { id: 'tsv', label: t('logs.downloadLines'), run: () => window.location.assign(file('')) },
            { id: 'raw', label: t('logs.downloadRaw'), run: () => window.location.assign(file('?format=raw')) },
          ]}
        />
      </div>
      {store.loaded && hidden > 0 && !whole && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-1 text-xs text-fg-2">
          <span>{t('logs.showingLatest', { count: store.lines.length, total: store.total })}</span>
          <Button size="sm" variant="ghost" onClick={() => void loadEarlier(Math.max(1, store.total - MOST + 1))}>
            {store.total > MOST ? t('logs.loadLatest', { count: MOST }) : t('logs.loadAll')}
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        <EmptyState compact {...emptyText()} />
      ) : (
        <LogView
          lines={shown}
          version={version}
          wanted={wanted}
          current={current}
          times={times}
          wrap={wrap}
          follow={follow && !wanted}
          onFollow={setFollow}
          newestFirst={newestFirst}
          onEarliest={() => {
            if (!filtered && !whole) void loadEarlier();
          }}
          onNumber={link}
        />
      )}
    </section>
  );

  function emptyText(): { title: string; body?: string } {
    if (error) return { title: t('common.loadFailedTitle'), body: failureText(t, error) };
    if (!store.loaded) return { title: t('logs.loading') };
    if (store.lines.length > 0) return { title: t('logs.noMatchTitle'), body: t('logs.noMatchBody') };
    if (store.ended || !live) return { title: t('logs.nothingTitle'), body: t('logs.nothingBody') };
    return { title: t('logs.waitingTitle'), body: t('logs.waitingBody') };
  }
}
