import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { connection } from '@/api/connection';
import { useConnection } from '@/api/live';
import { Tip } from '@/ui';

/** Live, Reconnecting or Paused; pressing it pauses and resumes all updates. */
export function ConnectionStatus({ narrow }: { narrow?: boolean }) {
  const { t } = useTranslation();
  const state = useConnection();
  const action = state === 'paused' ? t('common.connection.resume') : t('common.connection.pause');
  const hint = state === 'reconnecting' ? t('common.connection.reconnectingHint') : action;
  return (
    <Tip label={hint} side="top">
      <button
        type="button"
        aria-pressed={state === 'paused'}
        aria-label={action}
        onClick={() => connection.setPaused(state !== 'paused')}
        className={clsx(
          'flex h-7 items-center gap-2 rounded-md text-xs text-fg-2 hover:bg-hover hover:text-fg',
          narrow ? 'size-7 justify-center' : 'px-1.5',
        )}
      >
        <span
          aria-hidden
          className={clsx(
            'size-1.5 shrink-0 rounded-full',
            state === 'live' && 'pulse-dot bg-success text-success',
            state === 'paused' && 'bg-fg-3',
            (state === 'connecting' || state === 'reconnecting') && 'pulse-dot bg-warning text-warning',
          )}
        />
        <span role="status" className={narrow ? 'sr-only' : undefined}>
          {t(`common.connection.${state}`)}
        </span>
      </button>
    </Tip>
  );
}
