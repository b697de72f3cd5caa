import { CirclePause, CirclePlay, Ellipsis, RotateCw, Square, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { JobAction } from '@/api/generated/graphql';
import { Button, IconButton, Menu, type MenuEntry } from '@/ui';
import { mayAct, type Target } from './actions';

interface BulkBarProps {
  count: number;
  target: Target;
  entries: MenuEntry[];
  ask: (action: JobAction, target: Target) => void;
  onClear: () => void;
}

/** Rises at the bottom while two or more are selected. */
export function BulkBar({ count, target, entries, ask, onClear }: BulkBarProps) {
  const { t } = useTranslation();
  const label = t('jobs.selected', { count });
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="rise absolute bottom-4 left-1/2 z-20 flex h-11 max-w-[calc(100%-16px)] -translate-x-1/2 items-center gap-1 rounded-xl bg-raised pr-1.5 pl-3.5 shadow-pop"
    >
      <span className="mr-2 text-sm font-medium whitespace-nowrap tnum" role="status">
        {label}
      </span>
      <span className="mr-1 h-5 w-px bg-line max-[700px]:hidden" />
      <span className="flex gap-1 max-[700px]:hidden">
        {mayAct(target, 'RERUN') && (
          <Button variant="ghost" size="sm" icon={<RotateCw />} onClick={() => ask('RERUN', target)}>
            {t('jobs.action.rerun')}
          </Button>
        )}
        {mayAct(target, 'HOLD') && (
          <Button variant="ghost" size="sm" icon={<CirclePause />} onClick={() => ask('HOLD', target)}>
            {t('jobs.action.hold')}
          </Button>
        )}
        {mayAct(target, 'UNHOLD') && (
          <Button variant="ghost" size="sm" icon={<CirclePlay />} onClick={() => ask('UNHOLD', target)}>
            {t('jobs.action.unhold')}
          </Button>
        )}
      </span>
      {mayAct(target, 'STOP') && (
        <Button
          variant="ghost"
          size="sm"
          className="text-danger! hover:bg-danger-soft!"
          icon={<Square />}
          onClick={() => ask('STOP', target)}
        >
          {t('jobs.action.stop')}
        </Button>
      )}
      <Menu
        side="top"
        entries={entries}
        trigger={
          <IconButton label={t('common.more')}>
            <Ellipsis />
          </IconButton>
        }
      />
      <IconButton label={t('jobs.deselect')} kbd="Esc" onClick={onClear}>
        <X />
      </IconButton>
    </div>
  );
}
