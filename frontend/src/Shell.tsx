import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from './api/errors';
import { connectSocket } from './api/live';
import { session } from './api/session';
import { useViewer } from './api/viewer';
import { storage } from './lib/storage';
import { useMedia } from './lib/useMedia';
import { CommandPalette, ShortcutsDialog } from './shell/lazyDialogs';
import { Sidebar } from './shell/Sidebar';
import { TopBar } from './shell/TopBar';
import { useGlobalKeys } from './shell/useGlobalKeys';
import { Button, EmptyArt, EmptyState } from './ui';

/** The frame around every page of somebody who is signed in. */
export function Shell(): ReactElement {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const params = useParams({ strict: false });
  const { viewer, projects, loaded, error, refresh } = useViewer();
  const [searching, setSearching] = useState(false);
  const [shortcuts, setShortcuts] = useState(false);
  const [narrow, setNarrow] = useState(storage.get('sidebar') === 'narrow');
  const small = useMedia('(max-width: 899px)');
  const project = params.project ?? storage.get('project') ?? projects[0]?.key ?? null;
  const known = projects.some((each) => each.key === project);

  const openSearch = useCallback(() => setSearching(true), []);
  const openShortcuts = useCallback(() => setShortcuts(true), []);
  useGlobalKeys({ project: known ? project : null, onSearch: openSearch, onShortcuts: openShortcuts });

  useEffect(() => {
    if (viewer) connectSocket();
    else if (loaded) session.signedOut();
  }, [viewer, loaded]);
  useEffect(() => {
    if (params.project && known) storage.set('project', params.project);
  }, [params.project, known]);
  const collapse = (next: boolean) => {
    setNarrow(next);
    storage.set('sidebar', next ? 'narrow' : 'wide');
  };

  const sidebar = (
    <Sidebar
      project={known ? project : null}
      narrow={narrow && !small}
      {...(small ? {} : { onNarrow: collapse })}
      onSearch={openSearch}
      onShortcuts={openShortcuts}
    />
  );
  const missing = loaded && params.project !== undefined && !known;

  return (
    <div className="flex h-full max-[899px]:flex-col">
      <SkipLink />
      {small ? <TopBar key={pathname} sidebar={sidebar} onSearch={openSearch} /> : sidebar}
      <main
        id="main"
        tabIndex={-1}
        className="m-2 flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-lg bg-surface shadow-card outline-none max-[899px]:m-0 max-[899px]:rounded-none min-[900px]:ml-0"
      >
        {error && !loaded ? (
          <EmptyState
            heading
            title={t('common.loadFailedTitle')}
            body={failureText(t, error)}
            action={<Button onClick={() => refresh({ requestPolicy: 'network-only' })}>{t('common.tryAgain')}</Button>}
          />
        ) : missing ? (
          <EmptyState
            heading
            icon={<EmptyArt />}
            title={t('common.notFoundTitle')}
            body={t('common.notFoundBody')}
            action={<Button onClick={() => void navigate({ to: '/' })}>{t('common.toStart')}</Button>}
          />
        ) : (
          viewer && <Outlet />
        )}
      </main>
      {searching && <CommandPalette project={known ? project : null} open onClose={() => setSearching(false)} />}
      {shortcuts && <ShortcutsDialog open onClose={() => setShortcuts(false)} />}
    </div>
  );
}

/** Not a plain #main link: with a <base> it would lead away from the page. */
function SkipLink() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      onClick={() => document.getElementById('main')?.focus()}
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2 focus:shadow-pop"
    >
      {t('common.nav.skip')}
    </button>
  );
}
