import clsx from 'clsx';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAgo } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useNow } from '@/lib/useNow';
import type { ComputerItem } from './ComputersPage';

/** M-62: how many workers answer, or why none does. */
export function WorkerCell({ computer }: { computer: ComputerItem }): ReactElement {
  const { t } = useTranslation();
  const lang = useLang();
  const now = useNow();
  const online = computer.workers.filter((w) => w.state === 'ONLINE').length;
  const words = {
    ONLINE: t('common.worker.online', { count: online }),
    OFFLINE: t('common.worker.offline'),
    NONE: t('common.worker.none'),
    NOT_NEEDED: t('common.worker.notNeeded'),
  };
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className={clsx(
          'size-2 rounded-full',
          computer.workerState === 'ONLINE' && 'bg-success',
          computer.workerState === 'OFFLINE' && 'bg-warning',
          computer.workerState !== 'ONLINE' && computer.workerState !== 'OFFLINE' && 'border border-line-strong',
        )}
      />
      {words[computer.workerState]}
      {computer.workerState === 'OFFLINE' && computer.lastSeenAt && (
        <span className="text-xs text-fg-3">
          {t('common.lastResponse', { time: formatAgo(computer.lastSeenAt, now, lang, t('common.now')) })}
        </span>
      )}
    </span>
  );
}
