import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, EmptyArt, EmptyState } from './ui';

export function NotFound(): ReactElement {
  const { t } = useTranslation();
  return (
    <main className="flex h-full flex-col">
      <EmptyState
        heading
        icon={<EmptyArt />}
        title={t('common.notFoundTitle')}
        body={t('common.notFoundBody')}
        action={
          <Link to="/" className="text-sm font-medium text-accent-text hover:underline">
            {t('common.toStart')}
          </Link>
        }
      />
    </main>
  );
}

/** The last resort: something in the page itself threw. */
export function PageFailed(): ReactElement {
  const { t } = useTranslation();
  return (
    <main className="flex h-full flex-col">
      <EmptyState
        heading
        title={t('common.pageFailedTitle')}
        body={t('common.pageFailedBody')}
        action={<Button onClick={() => location.reload()}>{t('common.reload')}</Button>}
      />
    </main>
  );
}
