import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import clsx from 'clsx';
import { Languages, Layers, LogOut, Moon, Plus, Search, Server, UserRound, Users } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { directClient } from '@/api/client';
import { graphql } from '@/api/generated';
import type { PaletteJobsQuery } from '@/api/generated/graphql';
import { usePreferences } from '@/api/preferences';
import { mayLaunch, useProject, useViewer } from '@/api/viewer';
import { useSignOut } from '@/auth/useSignOut';
import { jobLook } from '@/jobs/look';
import { useDebounced } from '@/lib/useDebounced';
import { StatusGlyph } from '@/ui';

const PaletteJobs = graphql(`
  query PaletteJobs($project: String!, $text: String!) {
    project(key: $project) {
      id
      jobs(first: 8, filter: { text: $text }) {
        nodes { id shortId status phase endReason held run { id name } computer { id name } }
      }
    }
  }
`);

type FoundJob = NonNullable<PaletteJobsQuery['project']>['jobs']['nodes'][number];
interface Command {
  id: string;
  group: 'jobs' | 'pages' | 'actions' | 'projects';
  label: string;
  hint?: string;
  icon: ReactNode;
  run: () => void;
}

interface CommandPaletteProps {
  project: string | null;
  open: boolean;
  onClose: () => void;
}

export function CommandPalette({ project, open, onClose }: CommandPaletteProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fade fixed inset-0 z-40 bg-[#0b0b0d52]" />
        <Dialog.Popup
          initialFocus={input}
          className="dialog-in fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[600px] max-w-[calc(100vw-24px)] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-raised shadow-pop outline-none"
        >
          <PaletteBody project={project} onClose={onClose} input={input} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteBodyProps {
  project: string | null;
  onClose: () => void;
  input: RefObject<HTMLInputElement | null>;
}

function PaletteBody({ project, onClose, input }: PaletteBodyProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { jobs, searching } = useFoundJobs(project, text);
  const commands = useCommands(project, jobs, text);
  const current = Math.min(active, commands.length - 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts at the top
  useEffect(() => setActive(0), [text]);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && commands.length > 0) {
      event.preventDefault();
      setActive((current + step + commands.length) % commands.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(commands[current]);
    }
  };

  return (
    <>
      <Dialog.Title className="sr-only">{t('common.palette.label')}</Dialog.Title>
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-fg-3" />
        <input
          ref={input}
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={commands.length > 0 ? `${listId}-${current}` : undefined}
          aria-label={t('common.palette.label')}
          placeholder={t('common.palette.placeholder')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-base placeholder:text-fg-3 focus-visible:outline-none"
        />
      </div>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t('common.palette.label')}
        className="min-h-0 overflow-auto p-1.5"
      >
        {commands.map((command, index) => (
          <div key={command.id} role="presentation">
            {command.group !== commands[index - 1]?.group && (
              <div role="presentation" className="px-2.5 pt-2 pb-1 text-2xs font-medium text-fg-3">
                {t(`common.palette.${command.group}`)}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are on the field above */}
            <div
              role="option"
              id={`${listId}-${index}`}
              data-index={index}
              aria-selected={index === current}
              onClick={() => run(command)}
              onPointerMove={() => setActive(index)}
              className={clsx(
                'flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-fg-3',
                index === current && 'bg-active',
              )}
            >
              {command.icon}
              <span className="min-w-0 flex-1 truncate">{command.label}</span>
              {command.hint && <span className="truncate text-xs text-fg-3">{command.hint}</span>}
            </div>
          </div>
        ))}
      </div>
      <p
        role="status"
        className={clsx('px-4 text-sm text-fg-3', commands.length === 0 || searching ? 'py-3' : 'sr-only')}
      >
        {searching ? t('common.palette.searching') : commands.length === 0 ? t('common.palette.empty', { text }) : ''}
      </p>
    </>
  );
}

function useFoundJobs(project: string | null, text: string) {
  const wanted = useDebounced(text.trim(), 150);
  const [found, setFound] = useState<{ text: string; jobs: readonly FoundJob[] }>({ text: '', jobs: [] });
  useEffect(() => {
    if (!project || wanted.length < 2) return;
    let stale = false;
    void directClient
      .query(PaletteJobs, { project, text: wanted })
      .toPromise()
      .then(({ data }) => {
        if (!stale) setFound({ text: wanted, jobs: data?.project?.jobs.nodes ?? [] });
      });
    return () => {
      stale = true;
    };
  }, [project, wanted]);
  const asked = text.trim().length >= 2;
  return {
    jobs: asked && found.text !== '' && text.trim().startsWith(found.text) ? found.jobs : [],
    searching: asked && project !== null && found.text !== text.trim(),
  };
}

function useCommands(project: string | null, jobs: readonly FoundJob[], text: string): Command[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { projects } = useViewer();
  const role = useProject(project ?? '');
  const signOut = useSignOut();
  const { changeLanguage, changeTheme } = usePreferences();

  const fixed = useMemo<Command[]>(() => {
    const to = (page: 'jobs' | 'computers' | 'members') => () => {
      if (project) void navigate({ to: `/p/$project/${page}`, params: { project } });
    };
    const pages: Command[] = project
      ? [
          { id: 'jobs', group: 'pages', label: t('common.nav.jobs'), hint: 'G J', icon: <Layers />, run: to('jobs') },
          {
            id: 'compute',
            group: 'pages',
            label: t('common.nav.compute'),
            hint: 'G C',
            icon: <Server />,
            run: to('computers'),
          },
          {
            id: 'members',
            group: 'pages',
            label: t('common.nav.members'),
            hint: 'G M',
            icon: <Users />,
            run: to('members'),
          },
        ]
      : [];
    pages.push({
      id: 'account',
      group: 'pages',
      label: t('common.nav.account'),
      icon: <UserRound />,
      run: () => void navigate({ to: '/account' }),
    });
    const actions: Command[] = [
      {
        id: 'theme',
        group: 'actions',
        label: t('common.palette.toggleTheme'),
        icon: <Moon />,
        run: () => changeTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
      },
      {
        id: 'language',
        group: 'actions',
        label: t('common.palette.toggleLanguage'),
        icon: <Languages />,
        run: () => changeLanguage(i18n.language === 'ja' ? 'en' : 'ja'),
      },
      { id: 'out', group: 'actions', label: t('common.person.signOut'), icon: <LogOut />, run: () => void signOut() },
    ];
    if (project && mayLaunch(role)) {
      actions.unshift({
        id: 'launch',
        group: 'actions',
        label: t('jobs.launch'),
        hint: 'L',
        icon: <Plus />,
        run: () => void navigate({ to: '/p/$project/jobs', params: { project }, search: { launch: true } }),
      });
    }
    const others: Command[] = projects
      .filter((each) => each.key !== project)
      .map((each) => ({
        id: `project-${each.key}`,
        group: 'projects',
        label: each.name,
        hint: each.key,
        icon: <Layers />,
        run: () => void navigate({ to: '/p/$project/jobs', params: { project: each.key } }),
      }));
    return [...pages, ...actions, ...others];
  }, [t, i18n.language, navigate, project, role, projects, signOut, changeLanguage, changeTheme]);

  const words = text.trim().toLowerCase();
  const matching = fixed.filter((command) => `${command.label} ${command.hint ?? ''}`.toLowerCase().includes(words));
  const foundJobs = jobs.map<Command>((job) => ({
    id: job.id,
    group: 'jobs',
    label: job.run.name,
    hint: `${job.shortId} · ${job.computer.name}`,
    icon: <StatusGlyph look={jobLook(job)} />,
    run: () => {
      if (project) void navigate({ to: '/p/$project/jobs', params: { project }, search: { job: job.id } });
    },
  }));
  return [...foundJobs, ...matching];
}
