import { Navigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewer } from './api/viewer';
import { storage } from './lib/storage';
import { NewProjectDialog } from './shell/lazyDialogs';
import { Button, EmptyArt, EmptyState } from './ui';

/** To the project that was open last, or the first one. */
export function StartPage(): ReactElement | null {
  const { t } = useTranslation();
  const { projects, loaded } = useViewer();
  const [creating, setCreating] = useState(false);
  if (!loaded) return null;
  const last = storage.get('project');
  const project = projects.find((each) => each.key === last) ?? projects[0];
  if (project) return <Navigate to="/p/$project/jobs" params={{ project: project.key }} replace />;
  return (
    <>
      <EmptyState
        heading
        icon={<EmptyArt />}
        title={t('common.projects.noneTitle')}
        body={t('common.projects.noneBody')}
        action={<Button onClick={() => setCreating(true)}>{t('common.projects.new')}</Button>}
      />
      {creating && <NewProjectDialog open onClose={() => setCreating(false)} />}
    </>
  );
}
