import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';

export function PartFailed() {
  const { t } = useTranslation();
  return (
    <EmptyState
      compact
      title={t('common.partFailedTitle')}
      body={t('common.partFailedBody')}
      action={<Button onClick={() => location.reload()}>{t('common.reload')}</Button>}
    />
  );
}
