import { Navigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewer } from './api/viewer';
import { storage } from './lib/storage';
import { EmptyArt, EmptyState } from './ui';

/** To the project that was open last, or the first one. */
export function StartPage(): ReactElement | null {
  const { t } = useTranslation();
  const { projects, loaded } = useViewer();
  if (!loaded) return null;
  const last = storage.get('project');
  const project = projects.find((each) => each.key === last) ?? projects[0];
  if (project) return <Navigate to="/p/$project/jobs" params={{ project: project.key }} replace />;
  return (
    <EmptyState
      heading
      icon={<EmptyArt />}
      title={t('common.projects.noneTitle')}
      body={t('common.projects.noneBody')}
    />
  );
}
