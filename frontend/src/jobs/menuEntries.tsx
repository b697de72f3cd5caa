import type { TFunction } from 'i18next';
import {
  Ban,
  CirclePause,
  CirclePlay,
  Copy,
  CopyPlus,
  Flag,
  Link2,
  MoveRight,
  PanelBottomOpen,
  RotateCw,
  Server,
  Square,
  Terminal,
  Unplug,
  UserRound,
} from 'lucide-react';
import type { JobAction } from '@/api/generated/graphql';
import type { MenuEntry } from '@/ui';
import { commonDenial, mayAct, singleRow, type Target } from './actions';
import { personName } from './look';

interface EntryActions {
  ask: (action: JobAction, target: Target) => void;
  onOpen?: (id: string) => void;
  onCopy: (text: string) => void;
  linkTo: (id: string) => string;
  onFilter?: (filter: { person?: string; computer?: string }) => void;
  onLaunchAgain?: (id: string) => void;
  onCopyCommand?: (id: string) => void;
}

/** The menu of one job or of a selection: the same in the list, on a phone and in the details. */
export function menuEntries(target: Target, t: TFunction, actions: EntryActions): MenuEntry[] {
  const row = singleRow(target);
  const id = target.kind === 'rows' && target.ids.length === 1 ? target.ids[0] : undefined;
  const groups: MenuEntry[][] = [];

  if (id && actions.onOpen) {
    const open = actions.onOpen;
    groups.push([
      {
        id: 'open',
        label: t('jobs.action.openDetails'),
        icon: <PanelBottomOpen />,
        kbd: '↵',
        run: () => open(id),
      },
    ]);
  }
  groups.push(actionGroup(target, t, actions));
  if (id) groups.push(copyGroup(id, t, actions));
  if (row && actions.onFilter) {
    const filter = actions.onFilter;
    groups.push([
      {
        id: 'person',
        label: t('jobs.action.filterPerson', { name: personName(row.createdBy) }),
        icon: <UserRound />,
        run: () => filter({ person: row.createdBy.id }),
      },
      {
        id: 'computer',
        label: t('jobs.action.filterComputer', { name: row.computer.name }),
        icon: <Server />,
        run: () => filter({ computer: row.computer.name }),
      },
    ]);
  }
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [{ id: `line-${index}` }, ...group]));
}

function actionGroup(target: Target, t: TFunction, { ask, onLaunchAgain }: EntryActions): MenuEntry[] {
  const denial = commonDenial(target);
  const again: MenuEntry[] =
    onLaunchAgain && target.kind === 'rows' && target.ids.length === 1 && denial !== 'VIEWER_ONLY'
      ? [
          {
            id: 'again',
            label: t('jobs.action.launchAgain'),
            icon: <CopyPlus />,
            run: () => onLaunchAgain(target.ids[0] ?? ''),
          },
        ]
      : [];
  if (denial) return [...again, { id: 'denied', label: t(`jobs.denied.${denial}`), icon: <Ban />, disabled: true }];

  const entry = (action: JobAction, more: Omit<MenuEntry, 'id' | 'run'>): MenuEntry[] =>
    mayAct(target, action) ? [{ id: action, run: () => ask(action, target), ...more }] : [];
  const stopAsked = singleRow(target)?.stopRequestedAt;
  return [
    ...entry('RERUN', { label: t('jobs.action.rerun'), icon: <RotateCw />, kbd: 'R' }),
    ...again,
    ...entry('HOLD', { label: t('jobs.action.hold'), icon: <CirclePause /> }),
    ...entry('UNHOLD', { label: t('jobs.action.unhold'), icon: <CirclePlay /> }),
    ...entry('SET_PRIORITY', { label: t('jobs.action.priority'), icon: <Flag /> }),
    ...entry('MOVE', { label: t('jobs.action.move'), icon: <MoveRight /> }),
    ...(stopAsked
      ? [{ id: 'STOP', label: t('jobs.badge.stopRequested'), icon: <Square />, disabled: true }]
      : entry('STOP', { label: t('jobs.action.stop'), icon: <Square />, kbd: 'S', danger: true })),
    ...entry('KILL', { label: t('jobs.action.kill'), icon: <Ban />, danger: true }),
    ...entry('FORCE_END', { label: t('jobs.action.forceEnd'), icon: <Unplug />, danger: true }),
  ];
}

function copyGroup(id: string, t: TFunction, { onCopy, linkTo, onCopyCommand }: EntryActions): MenuEntry[] {
  return [
    { id: 'copy-id', label: t('jobs.action.copyId'), icon: <Copy />, run: () => onCopy(id) },
    { id: 'copy-link', label: t('jobs.action.copyLink'), icon: <Link2 />, run: () => onCopy(linkTo(id)) },
    ...(onCopyCommand
      ? [
          {
            id: 'copy-command',
            label: t('jobs.action.copyCommand'),
            icon: <Terminal />,
            run: () => onCopyCommand(id),
          },
        ]
      : []),
  ];
}
