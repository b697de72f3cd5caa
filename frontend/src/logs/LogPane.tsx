import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { serverUrl } from '@/api/base';
import { failureText } from '@/api/errors';
import type { JobStatus } from '@/api/generated/graphql';
import { useMedia } from '@/lib/useMedia';
import { Button, EmptyState } from '@/ui';
import { indexFrom, type LevelChoice, LogFilter } from './filter';
import { LogNotice } from './LogNotice';
import { LogToolbar } from './LogToolbar';
import { LogView } from './LogView';
import { useLog } from './useLog';
import { useLogKeys } from './useLogKeys';
import { useLogLook } from './useLogLook';
import { useWholeSearch } from './useWholeSearch';

export interface LogPaneProps {
  job: { id: string; status: JobStatus; run: { name: string } };
  /** A line to show at first, from the address. */
  line?: number | undefined;
  /** Called when a link to a line is made. */
  onLine?: (line: number | undefined) => void;
}

export function LogPane({ job, line, onLine }: LogPaneProps): ReactElement {
  const { t } = useTranslation();
  const narrow = useMedia('(max-width: 720px)');
  const log = useLog(job.id);
  const { store } = log;
  const version = useSyncExternalStore(store.subscribe, store.snapshot);
  const [look, changeLook] = useLogLook(narrow);
  const [text, setText] = useState('');
  const [level, setLevel] = useState<LevelChoice>('all');
  const [whole, setWhole] = useState(false);
  const [follow, setFollow] = useState(line === undefined);
  /** The line that stands out: the current match, or the one a link leads to. */
  const [current, setCurrent] = useState<number | undefined>(line);
  const [jump, setJump] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  store.following = follow;

  const wanted = text.trim().toLowerCase();
  const filtered = wanted !== '' || level !== 'all';
  const search = useWholeSearch(job.id, wanted, level, whole && filtered);
  const found = search.found;
  const filter = useMemo(
    () => new LogFilter(store, wanted, level, found?.nextLine),
    [store, wanted, level, found?.nextLine],
  );
  const loaded = filter.lines();
  // biome-ignore lint/correctness/useExhaustiveDependencies: version stands for what the loaded lines hold
  const shown = useMemo(() => (found ? [...found.lines, ...loaded] : loaded), [found, loaded, version]);
  const matching = found ? found.matching + loaded.length : shown.length;

  const holdNewest = (on: boolean) => {
    setFollow(on);
    if (!on) return;
    setCurrent(undefined);
    if (!store.atEnd) void log.toLatest();
  };
  const show = (number: number) => {
    setFollow(false);
    setCurrent(number);
    setJump((n) => n + 1);
    void log.goTo(number);
  };
  const narrowTo = (part: { text?: string; level?: LevelChoice }) => {
    if (part.text !== undefined) setText(part.text);
    if (part.level !== undefined) setLevel(part.level);
    if ((part.text ?? text).trim() === '' && (part.level ?? level) === 'all') setWhole(false);
    // Back among all lines the one that was found stays in sight.
    if (part.text === '' && current !== undefined) show(current);
  };
  const step = (by: 1 | -1) => {
    if (!filtered || shown.length === 0) return;
    const forward = look.newestFirst ? -by : by;
    const here = current === undefined ? -1 : indexFrom(shown, current);
    const exact = shown[here]?.number === current;
    let next = forward > 0 ? (exact ? here + 1 : here) : here - 1;
    if (current === undefined) next = forward > 0 ? 0 : -1;
    const target = shown[(next + shown.length) % shown.length];
    if (!target) return;
    setFollow(false);
    setCurrent(target.number);
    setJump((n) => n + 1);
  };
  /** A pressed number makes a link to the line, and among matches shows it where it stands in the log. */
  const link = (number: number) => {
    setText('');
    setLevel('all');
    setWhole(false);
    show(number);
    onLine?.(number);
  };

  // The address leads: at first, and when a link to another line of this log is followed.
  const ready = store.loaded;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address changes
  useEffect(() => {
    if (ready && line !== undefined) show(line);
  }, [line, ready, job.id]);

  const onKeyDown = useLogKeys({
    search: () => {
      input.current?.focus();
      input.current?.select();
    },
    step,
    toggleWrap: () => changeLook({ wrap: !look.wrap }),
    toggleFollow: () => holdNewest(!follow),
    toLatest: () => holdNewest(true),
  });

  const ended = store.ended || job.status === 'COMPLETED' || job.status === 'FAILED' || job.status === 'CANCELED';
  const at = current === undefined ? -1 : indexFrom(shown, current);
  const place = shown[at]?.number === current && current !== undefined ? at + 1 : null;
  return (
    <section
      aria-label={t('logs.region')}
      className="relative flex min-h-0 flex-1 flex-col bg-sunken"
      onKeyDown={onKeyDown}
    >
      <LogToolbar
        input={input}
        text={text}
        onText={(next) => narrowTo({ text: next })}
        matching={wanted ? { count: matching, at: place } : null}
        onStep={step}
        level={level}
        onLevel={(next) => narrowTo({ level: next })}
        counts={store.counts}
        {...look}
        onLook={changeLook}
        follow={follow}
        onFollow={holdNewest}
        live={!ended}
        file={(query) => serverUrl(`api/jobs/${job.id}/log${query}`)}
        narrow={narrow}
      />
      <LogNotice
        log={log}
        filtered={filtered}
        whole={whole}
        onWhole={setWhole}
        search={search}
        shown={shown.length}
        onLatest={() => holdNewest(true)}
      />
      {shown.length === 0 ? (
        empty()
      ) : (
        <LogView
          lines={shown}
          version={version}
          wanted={wanted}
          current={current}
          jump={jump}
          {...look}
          follow={follow}
          onFollow={holdNewest}
          atEnd={store.atEnd}
          onNearOldest={() => !filtered && void log.loadEarlier()}
          onNearNewest={() => !filtered && void log.loadLater()}
          onNumber={link}
        />
      )}
    </section>
  );

  function empty(): ReactNode {
    if (log.error && !store.loaded) {
      return (
        <EmptyState
          compact
          title={t('common.loadFailedTitle')}
          body={failureText(t, log.error)}
          action={<Button onClick={() => void log.start()}>{t('common.tryAgain')}</Button>}
        />
      );
    }
    if (!store.loaded) return <EmptyState compact title={t('logs.loading')} />;
    if (search.busy) return <EmptyState compact title={t('logs.searching')} />;
    if (store.lines.length > 0) {
      return <EmptyState compact title={t('logs.noMatchTitle')} body={t('logs.noMatchBody')} />;
    }
    return ended ? (
      <EmptyState compact title={t('logs.nothingTitle')} body={t('logs.nothingBody')} />
    ) : (
      <EmptyState compact title={t('logs.waitingTitle')} body={t('logs.waitingBody')} />
    );
  }
}
