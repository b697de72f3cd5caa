import { Link, useLocation } from '@tanstack/react-router';
import clsx from 'clsx';
import { Layers, PanelLeftClose, PanelLeftOpen, Search, Server, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, Kbd, Mark, Tip } from '@/ui';
import { ConnectionStatus } from './ConnectionStatus';
import { InUse } from './InUse';
import { LanguageButton, PersonMenu, ThemeButton } from './PersonMenu';
import { ProjectSwitcher } from './ProjectSwitcher';

interface SidebarProps {
  project: string | null;
  /** Only icons. */
  narrow: boolean;
  onNarrow?: (narrow: boolean) => void;
  onSearch: () => void;
  onShortcuts: () => void;
}

export function Sidebar({ project, narrow, onNarrow, onSearch, onShortcuts }: SidebarProps) {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t('common.nav.main')}
      className={clsx('flex h-full shrink-0 flex-col overflow-y-auto py-3', narrow ? 'w-14 px-2.5' : 'w-[216px] px-3')}
    >
      <div className={clsx('mb-3 flex items-center gap-1', narrow ? 'flex-col' : 'h-8')}>
        <Link
          to="/"
          className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5"
          aria-label={t('common.product')}
        >
          <Mark />
          {!narrow && <span className="text-base font-semibold tracking-[-0.01em]">{t('common.product')}</span>}
        </Link>
        {onNarrow && (
          <IconButton
            label={narrow ? t('common.nav.expand') : t('common.nav.collapse')}
            className="text-fg-3"
            onClick={() => onNarrow(!narrow)}
          >
            {narrow ? <PanelLeftOpen /> : <PanelLeftClose />}
          </IconButton>
        )}
      </div>
      <ProjectSwitcher project={project} narrow={narrow} />
      <SearchButton narrow={narrow} onClick={onSearch} />
      {project && (
        <>
          <Group label={t('common.nav.execution')} narrow={narrow}>
            <NavItem
              project={project}
              page="jobs"
              icon={<Layers />}
              label={t('common.nav.jobs')}
              kbd="G J"
              narrow={narrow}
            />
            <NavItem
              project={project}
              page="computers"
              icon={<Server />}
              label={t('common.nav.compute')}
              kbd="G C"
              narrow={narrow}
            />
          </Group>
          <Group label={t('common.nav.project')} narrow={narrow}>
            <NavItem
              project={project}
              page="members"
              icon={<Users />}
              label={t('common.nav.members')}
              kbd="G M"
              narrow={narrow}
            />
          </Group>
        </>
      )}
      <div className={clsx('mt-auto flex flex-col gap-2 pt-3', narrow && 'items-center')}>
        {project && !narrow && <InUse project={project} />}
        <div className={clsx('flex items-center justify-between', narrow && 'flex-col gap-1')}>
          <ConnectionStatus narrow={narrow} />
          <span className={clsx('flex', narrow && 'flex-col')}>
            <LanguageButton />
            <ThemeButton />
          </span>
        </div>
        <PersonMenu narrow={narrow} onShortcuts={onShortcuts} />
      </div>
    </nav>
  );
}

function SearchButton({ narrow, onClick }: { narrow: boolean; onClick: () => void }) {
  const { t } = useTranslation();
  if (narrow) {
    return (
      <IconButton label={t('common.palette.label')} kbd="Ctrl K" className="mx-auto mb-3" onClick={onClick}>
        <Search />
      </IconButton>
    );
  }
  return (
    <button
      type="button"
      onClick={onClick}
      aria-keyshortcuts="Control+K"
      className="mb-3 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-2 text-sm text-fg-3 hover:border-line-strong"
    >
      <Search aria-hidden className="size-3.5" />
      {t('common.palette.label')}
      <Kbd className="ml-auto">Ctrl K</Kbd>
    </button>
  );
}

function Group({ label, narrow, children }: { label: string; narrow: boolean; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="mb-3 flex flex-col gap-0.5">
      {!narrow && (
        <div aria-hidden className="px-2 pb-1 text-2xs font-medium text-fg-3">
          {label}
        </div>
      )}
      {children}
    </div>
  );
}

interface NavItemProps {
  project: string;
  page: 'jobs' | 'computers' | 'members';
  icon: ReactNode;
  label: string;
  kbd: string;
  narrow: boolean;
}

function NavItem({ project, page, icon, label, kbd, narrow }: NavItemProps) {
  const { pathname } = useLocation();
  const current = pathname.endsWith(`/p/${project}/${page}`);
  const link = (
    <Link
      to={`/p/$project/${page}`}
      params={{ project }}
      aria-current={current ? 'page' : undefined}
      aria-label={narrow ? label : undefined}
      className={clsx(
        'group flex h-8 shrink-0 items-center gap-2.5 rounded-md text-sm font-medium transition-colors duration-100 [&>svg]:size-4 [&>svg]:shrink-0',
        narrow ? 'w-9 justify-center' : 'px-2',
        current ? 'bg-active text-fg [&>svg]:text-accent-text' : 'text-fg-2 hover:bg-hover hover:text-fg',
      )}
    >
      {icon}
      {!narrow && (
        <>
          <span className="flex-1 truncate">{label}</span>
          <Kbd className="opacity-0 group-hover:opacity-100">{kbd}</Kbd>
        </>
      )}
    </Link>
  );
  return narrow ? (
    <Tip label={label} kbd={kbd} side="right">
      {link}
    </Tip>
  ) : (
    link
  );
}
