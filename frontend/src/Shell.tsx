import { Dialog } from '@base-ui/react/dialog';
import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from './api/errors';
import { connectSocket } from './api/live';
import { useViewer } from './api/viewer';
import { storage } from './lib/storage';
import { useMedia } from './lib/useMedia';
import { CommandPalette } from './shell/CommandPalette';
import { ConnectionStatus } from './shell/ConnectionStatus';
import { ShortcutsDialog } from './shell/ShortcutsDialog';
import { Sidebar } from './shell/Sidebar';
import { useGlobalKeys } from './shell/useGlobalKeys';
import { Button, EmptyArt, EmptyState, IconButton, Mark } from './ui';

/** The frame around every page of somebody who is signed in. */
export function Shell(): ReactElement {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { href, pathname } = useLocation();
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
    else if (loaded) void navigate({ to: '/sign-in', search: { to: href }, replace: true });
  }, [viewer, loaded, navigate, href]);
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
      <CommandPalette project={known ? project : null} open={searching} onClose={() => setSearching(false)} />
      <ShortcutsDialog open={shortcuts} onClose={() => setShortcuts(false)} />
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

/** Under 900 px the sidebar is a drawer behind a button. */
function TopBar({ sidebar, onSearch }: { sidebar: ReactElement; onSearch: () => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-3">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger
          render={
            <IconButton label={t('common.nav.open')}>
              <MenuIcon />
            </IconButton>
          }
        />
        <Dialog.Portal>
          <Dialog.Backdrop className="fade fixed inset-0 z-40 bg-[#0b0b0d52]" />
          <Dialog.Popup className="slide-in fixed inset-y-0 left-0 z-50 bg-canvas shadow-pop outline-none">
            <Dialog.Title className="sr-only">{t('common.nav.main')}</Dialog.Title>
            {sidebar}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <Mark size={20} />
      <span className="flex-1 text-base font-semibold tracking-[-0.01em]">{t('common.product')}</span>
      <ConnectionStatus narrow />
      <IconButton label={t('common.palette.label')} onClick={onSearch}>
        <Search />
      </IconButton>
    </header>
  );
}
