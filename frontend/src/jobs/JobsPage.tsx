import { getRouteApi, useRouter } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { failureText } from '@/api/errors';
import type { LaunchJobInput } from '@/api/generated/graphql';
import { mayLaunch, useProject } from '@/api/viewer';
import { withTexts } from '@/i18n';
import { hasModifier, isTyping } from '@/lib/keys';
import { lazyPart } from '@/lib/lazyPart';
import { copyText } from '@/lib/useCopy';
import { useDebounced } from '@/lib/useDebounced';
import { useMedia } from '@/lib/useMedia';
import { useTitle } from '@/lib/useTitle';
import { Button, ContextMenu, EmptyState, Splitter, toast } from '@/ui';
import { mayAct, type Target } from './actions';
import { BlockedQueues } from './BlockedQueues';
import { BulkBar } from './BulkBar';
import { CLEARED, filterOf, hasFilters, statusesOf } from './filters';
import { type GridHandle, JobGrid } from './JobGrid';
import { JobsEmpty } from './JobsEmpty';
import { JobsToolbar } from './JobsToolbar';
import { menuEntries } from './menuEntries';
import { JobSnapshotQuery } from './queries';
import type { JobsSearch } from './search';
import { none, type Selection, size } from './selection';
import { useColumns } from './useColumns';
import { DETAILS_MIN, useDetailsHeight } from './useDetailsHeight';
import { useJobActions } from './useJobActions';
import { useJobCounts } from './useJobCounts';
import { type Row, useJobList } from './useJobList';
import { useLaunchAgain } from './useLaunchAgain';

const route = getRouteApi('/shell/p/$project/jobs');
const DetailsPane = lazyPart(() =>
  withTexts(['events'], () => import('./DetailsPane')).then((module) => module.DetailsPane),
);
const LaunchDialog = lazyPart(() =>
  withTexts(['launch'], () => import('@/launch/LaunchDialog')).then((module) => module.LaunchDialog),
);

/** The jobs of a project, newest first, and the details of one below them. */
export function JobsPage(): ReactElement {
  const { t } = useTranslation();
  const { project } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const role = useProject(project);
  useTitle(t('jobs.title'), role?.name);
  const grid = useRef<GridHandle>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  const [selection, setSelection] = useState<Selection>(none);
  const [columns, setColumns] = useColumns();
  const details = useDetailsHeight();
  const phone = useMedia('(max-width: 620px)');

  const change = useCallback(
    (next: Partial<JobsSearch>, replace = true) => {
      void navigate({ search: (old: JobsSearch) => ({ ...old, ...next }), replace });
    },
    [navigate],
  );
  const [text, setText] = useSearchText(search.q, (q) => change({ q }));

  const filter = useMemo(() => filterOf(search), [search]);
  const filterKey = JSON.stringify([project, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to its list
  useEffect(() => setSelection(none), [filterKey]);

  // New rows come in at the top; rows only vanish while nobody could be about to press one.
  const mayMove = () => ({
    insert: grid.current?.isAtTop() !== false && !menuOpen,
    remove: grid.current?.isInUse() !== true && !menuOpen,
  });
  const { list, version, ensure } = useJobList(project, filter, mayMove);
  const counts = useJobCounts(project, filter);
  const statuses = statusesOf(search);
  const total = statuses.length > 0 ? counts.of(statuses) : counts.all;
  const listTotal = list.loaded && !list.hasMore ? list.length : Math.max(total.count, list.length);

  const openId = search.job ?? null;
  const open = useCallback(
    (id: string | null) => change({ job: id ?? undefined, line: undefined, ...(id ? {} : { tab: undefined }) }),
    [change],
  );
  const close = () => {
    open(null);
    grid.current?.focus();
  };
  const { ask, dialog } = useJobActions({ project, onRows: (rows) => list.update(rows), onOpen: open });

  const rowsTarget = useCallback(
    (ids: readonly string[]): Target => ({
      kind: 'rows',
      ids,
      rows: ids.map((id) => list.get(id)).filter((row): row is Row => row !== undefined),
    }),
    [list],
  );
  const count = size(selection, listTotal);
  const selected: Target = selection.all
    ? { kind: 'all', project, filter, count: listTotal }
    : rowsTarget([...selection.ids]);

  const launch = useLaunch(search, change);
  const entriesFor = useEntries({ ask, open, change, launchAgain: launch.again });
  const [contextId, setContextId] = useState<string | null>(null);
  const contextTarget = count > 1 ? selected : rowsTarget(contextId ? [contextId] : []);

  const act = (action: 'STOP' | 'RERUN', id: string) => {
    const target = count > 0 ? selected : rowsTarget([id]);
    if (mayAct(target, action)) ask(action, target);
  };
  usePageKeys({ searchInput, onClose: openId ? close : null });

  const settle = () => list.settleNow(mayMove());
  const showNew = () => {
    if (list.overflow) void list.restart();
    else list.settleNow();
    grid.current?.scrollToTop();
  };
  const fresh = list.pendingCount;
  const empty = list.loaded && list.length === 0;
  const mayStart = mayLaunch(role);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <JobsToolbar
        project={project}
        search={search}
        onChange={(next) => change(next, false)}
        counts={counts}
        total={total}
        arrayName={search.array ? list.at(0)?.array?.name : undefined}
        text={text}
        onText={setText}
        searchRef={searchInput}
        onLeaveSearch={() => grid.current?.focus()}
        onLaunch={mayStart ? launch.start : null}
        columns={columns}
        onColumns={setColumns}
      />
      <BlockedQueues project={project} queues={counts.blockedQueues} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {(fresh > 0 || list.overflow) && (
          <button
            type="button"
            onClick={showNew}
            className="rise absolute top-10 left-1/2 z-20 flex h-7 -translate-x-1/2 items-center gap-1.5 rounded-full bg-accent px-3 text-xs font-medium text-accent-fg shadow-pop hover:bg-accent-hover"
          >
            <ArrowUp aria-hidden className="size-3.5" />
            {list.overflow ? t('jobs.listChanged') : t('jobs.newJobs', { count: fresh })}
          </button>
        )}
        <span role="status" className="sr-only">
          {fresh > 0 ? t('jobs.newJobs', { count: fresh }) : ''}
        </span>
        {list.failure && list.length === 0 ? (
          <EmptyState
            title={t('common.loadFailedTitle')}
            body={failureText(t, list.failure as Parameters<typeof failureText>[1])}
            action={<Button onClick={() => void list.restart()}>{t('common.tryAgain')}</Button>}
          />
        ) : empty ? (
          <JobsEmpty
            project={project}
            filtered={hasFilters(search)}
            onClear={() => {
              setText('');
              change(CLEARED, false);
            }}
            onLaunch={mayStart ? launch.start : null}
          />
        ) : (
          <ContextMenu
            entries={entriesFor(contextTarget, false)}
            header={
              count > 1 && (
                <div className="px-2 pt-1 pb-1.5 text-xs font-medium text-fg-3">{t('jobs.selected', { count })}</div>
              )
            }
            onOpenChange={setMenuOpen}
          >
            <JobGrid
              ref={grid}
              list={list}
              version={version}
              ensure={ensure}
              total={listTotal}
              chosenColumns={columns}
              selection={selection}
              onSelect={setSelection}
              openId={openId}
              onOpen={open}
              onArray={(array) => change({ array }, false)}
              onContext={setContextId}
              onAction={act}
              onLeave={settle}
              resetKey={filterKey}
            />
          </ContextMenu>
        )}
        {count > 1 && (
          <BulkBar
            count={count}
            target={selected}
            entries={entriesFor(selected, false)}
            ask={ask}
            onClear={() => setSelection(none)}
          />
        )}
      </div>
      {openId && (
        <>
          {!phone && (
            <Splitter
              label={t('jobs.details.resize')}
              value={details.height}
              min={DETAILS_MIN}
              max={details.max}
              reset={details.usual}
              onChange={details.change}
            />
          )}
          <div
            className={phone ? 'fixed inset-0 z-30 flex flex-col bg-surface' : 'flex min-h-0 shrink-0 flex-col'}
            style={phone ? undefined : { height: details.height }}
          >
            <DetailsPane
              project={project}
              id={openId}
              tab={search.tab ?? 'log'}
              onTab={(tab) => change({ tab: tab === 'log' ? undefined : tab })}
              onResolved={(id) => change({ job: id })}
              line={search.line}
              onLine={(line) => change({ line })}
              onClose={close}
              ask={ask}
              entries={(target) => entriesFor(target, true)}
            />
          </div>
        </>
      )}
      {launch.used && (
        <LaunchDialog
          project={project}
          open={search.launch === true && mayStart}
          prefill={launch.prefill}
          onClose={launch.close}
          onLaunched={(id) => {
            launch.close();
            open(id);
          }}
        />
      )}
      {dialog}
    </div>
  );
}

/** The text field answers at once; the address, and with it the list, follows when typing rests. */
function useSearchText(fromAddress: string | undefined, onChange: (q: string | undefined) => void) {
  const [text, setText] = useState(fromAddress ?? '');
  const rested = useDebounced(text, 250);
  const told = useRef(fromAddress ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: tells what rested, once
  useEffect(() => {
    if (rested === told.current) return;
    told.current = rested;
    onChange(rested || undefined);
  }, [rested]);
  useEffect(() => {
    // Back, forward, or a link: the address leads.
    if ((fromAddress ?? '') === told.current) return;
    told.current = fromAddress ?? '';
    setText(told.current);
  }, [fromAddress]);
  return [text, setText] as const;
}

type Change = (next: Partial<JobsSearch>, replace?: boolean) => void;

/** The launch dialog, its code loaded at the first use. */
function useLaunch(search: JobsSearch, change: Change) {
  const [prefill, setPrefill] = useState<Partial<LaunchJobInput>>();
  const [used, setUsed] = useState(search.launch === true);
  const readAgain = useLaunchAgain();
  useEffect(() => {
    if (search.launch) setUsed(true);
  }, [search.launch]);
  return {
    used,
    prefill,
    start: () => {
      setPrefill(undefined);
      change({ launch: true });
    },
    again: async (id: string) => {
      const values = await readAgain(id);
      if (!values) return;
      setPrefill(values);
      change({ launch: true });
    },
    close: () => change({ launch: undefined }),
  };
}

interface EntryParts {
  ask: ReturnType<typeof useJobActions>['ask'];
  open: (id: string) => void;
  change: Change;
  launchAgain: (id: string) => Promise<void>;
}

function useEntries({ ask, open, change, launchAgain }: EntryParts) {
  const { t } = useTranslation();
  const router = useRouter();
  const { project } = route.useParams();
  const client = useClient();
  const copy = (value: string) => {
    copyText(value).then(
      () => toast({ text: t('common.copied') }),
      () => {},
    );
  };
  return (target: Target, inDetails: boolean) =>
    menuEntries(target, t, {
      ask,
      onCopy: copy,
      linkTo: (id) => {
        const { href } = router.buildLocation({ to: '/p/$project/jobs', params: { project }, search: { job: id } });
        return new URL(href, location.origin).href;
      },
      onCopyCommand: (id) => {
        void client
          .query(JobSnapshotQuery, { id })
          .toPromise()
          .then(({ data }) => data?.job && copy(data.job.snapshot.command));
      },
      onLaunchAgain: (id) => void launchAgain(id),
      onFilter: (filter) => change(filter, false),
      ...(inDetails ? {} : { onOpen: open }),
    });
}

interface PageKeys {
  searchInput: { current: HTMLInputElement | null };
  onClose: (() => void) | null;
}

/** Keys of this page outside the list: / filters, Esc closes the details. */
function usePageKeys({ searchInput, onClose }: PageKeys) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event) || hasModifier(event)) return;
      if (event.key === '/') {
        event.preventDefault();
        searchInput.current?.focus();
      } else if (event.key === 'Escape' && onClose) onClose();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [searchInput, onClose]);
}
