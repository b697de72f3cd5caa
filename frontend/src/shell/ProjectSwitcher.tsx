import { useLocation, useNavigate } from '@tanstack/react-router';
import clsx from 'clsx';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewer } from '@/api/viewer';
import { Menu, type MenuEntry } from '@/ui';
import { NewProjectDialog } from './lazyDialogs';

export function ProjectSwitcher({ project, narrow }: { project: string | null; narrow: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { projects } = useViewer();
  const [creating, setCreating] = useState(false);
  const current = projects.find((each) => each.key === project);
  const page = /\/(computers|members)$/.exec(pathname)?.[1] ?? 'jobs';

  const entries: MenuEntry[] = [
    ...projects.map((each) => ({
      id: each.key,
      label: each.name,
      checked: each.key === project,
      icon: <Initial name={each.name} />,
      run: () => void navigate({ to: `/p/$project/${page}` as '/p/$project/jobs', params: { project: each.key } }),
    })),
    ...(projects.length > 0 ? [{ id: 'line' }] : []),
    { id: 'new', label: t('common.projects.new'), icon: <Plus />, run: () => setCreating(true) },
  ];
  return (
    <>
      <Menu
        align="start"
        entries={entries}
        trigger={
          <button
            type="button"
            aria-label={t('common.projects.switch')}
            className={clsx(
              'mb-2 flex h-8 shrink-0 items-center gap-2 rounded-md text-sm font-medium hover:bg-hover data-[popup-open]:bg-active',
              narrow ? 'w-9 justify-center' : 'px-1.5',
            )}
          >
            <Initial name={current?.name ?? '–'} />
            {!narrow && (
              <>
                <span className="min-w-0 flex-1 truncate text-left">{current?.name ?? t('common.projects.label')}</span>
                <ChevronsUpDown aria-hidden className="size-3.5 text-fg-3" />
              </>
            )}
          </button>
        }
      />
      {creating && <NewProjectDialog open onClose={() => setCreating(false)} />}
    </>
  );
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-[18px] shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface text-[10px] font-semibold text-fg-2 uppercase"
    >
      {[...name][0]}
    </span>
  );
}
