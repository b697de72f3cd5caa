import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { failureText } from '@/api/errors';
import { graphql } from '@/api/generated';
import { useViewer } from '@/api/viewer';
import { Button, Dialog, TextField } from '@/ui';

const CreateProjectMutation = graphql(`
  mutation CreateProject($input: CreateProjectInput!) {
    createProject(input: $input) { project { id key name role } }
  }
`);

/** A name's usual key: "Night runs 2" → "night-runs-2". */
export const keyFromName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);

export function NewProjectDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { refresh } = useViewer();
  const [{ fetching, error }, create] = useMutation(CreateProjectMutation);
  const [name, setName] = useState('');
  const [ownKey, setOwnKey] = useState<string | null>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const key = ownKey ?? keyFromName(name);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { key, name: name.trim() } });
    if (!data) return;
    refresh({ requestPolicy: 'network-only' });
    setName('');
    setOwnKey(null);
    onClose();
    await navigate({ to: '/p/$project/jobs', params: { project: data.createProject.project.key } });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('common.projects.newTitle')}
      description={t('common.projects.newBody')}
      initialFocus={nameInput}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form="new-project" variant="primary" busy={fetching} disabled={!name.trim() || !key}>
            {t('common.projects.create')}
          </Button>
        </>
      }
    >
      <form id="new-project" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 pt-2">
        <TextField
          ref={nameInput}
          label={t('common.projects.name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          mono
          label={t('common.projects.key')}
          hint={t('common.projects.keyHint')}
          value={key}
          maxLength={40}
          onChange={(event) => setOwnKey(event.target.value)}
          error={error && failureText(t, error)}
        />
      </form>
    </Dialog>
  );
}
