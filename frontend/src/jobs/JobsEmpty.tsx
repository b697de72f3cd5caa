import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, CopyBlock, EmptyArt, EmptyState } from '@/ui';

interface JobsEmptyProps {
  project: string;
  filtered: boolean;
  onClear: () => void;
  onLaunch: (() => void) | null;
}

/** Nothing in the list: because of the filters, or because nothing was launched yet. */
export function JobsEmpty({ project, filtered, onClear, onLaunch }: JobsEmptyProps) {
  const { t } = useTranslation();
  if (filtered) {
    return (
      <EmptyState
        icon={<EmptyArt />}
        title={t('jobs.emptyTitle')}
        body={t('jobs.emptyBody')}
        action={<Button onClick={onClear}>{t('jobs.clearFilters')}</Button>}
      />
    );
  }
  if (!onLaunch) {
    return <EmptyState icon={<EmptyArt />} title={t('jobs.noneTitle')} body={t('jobs.noneViewer')} />;
  }
  return (
    <EmptyState
      icon={<EmptyArt />}
      title={t('jobs.noneTitle')}
      body={
        <>
          <p>{t('jobs.noneBody')}</p>
          <CopyBlock
            className="mt-3 text-left"
            text={`nightshift run -p ${project} "echo hello"`}
            label={t('jobs.noneCommand')}
          />
        </>
      }
      action={
        <Button variant="primary" icon={<Plus />} onClick={onLaunch}>
          {t('jobs.launch')}
        </Button>
      }
    />
  );
}
