import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { JobAction, JobRowFragment } from '@/api/generated/graphql';
import { ConfirmDialog, Field, Select, StatusLabel, TextField } from '@/ui';
import { singleRow, type Target, targetCount } from './actions';
import { jobLook, personName } from './look';
import { JobFilterChoicesQuery } from './queries';

export interface AskedAction {
  action: Exclude<JobAction, 'HOLD' | 'UNHOLD'>;
  target: Target;
}

interface ActionDialogProps {
  project: string;
  asked: AskedAction;
  busy: boolean;
  error: string | undefined;
  onClose: () => void;
  onConfirm: (value: { priority?: number; computer?: string }) => void;
}

/** Names the run, the creator and the computer, and says what will happen. */
export function ActionDialog({ project, asked, busy, error, onClose, onConfirm }: ActionDialogProps) {
  const { t } = useTranslation();
  const { action, target } = asked;
  const row = singleRow(target);
  const count = targetCount(target);
  const [priority, setPriority] = useState(String(row?.priority ?? 0));
  const [computer, setComputer] = useState<string | null>(null);

  const words = useWords(action, count, row);
  const priorityIsValid = /^-?\d{1,4}$/.test(priority.trim()) && Math.abs(Number(priority)) <= 1000;
  const ready = action === 'SET_PRIORITY' ? priorityIsValid : action === 'MOVE' ? computer !== null : true;

  const facts = row
    ? [
        { label: t('jobs.confirm.run'), value: row.run.name },
        { label: t('jobs.confirm.creator'), value: personName(row.createdBy) },
        { label: t('jobs.confirm.computer'), value: row.computer.name },
        {
          label: t('jobs.confirm.status'),
          value: <StatusLabel look={jobLook(row)} percent={null} label={t(`common.status.${row.status}`)} />,
        },
      ]
    : [{ label: t('jobs.confirm.jobs'), value: t('jobs.confirm.count', { count }) }];

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title}
      facts={facts}
      confirmLabel={words.confirm}
      danger={action === 'STOP' || action === 'KILL' || action === 'FORCE_END'}
      busy={busy}
      disabled={!ready}
      error={error}
      onConfirm={() => onConfirm({ priority: Number(priority), ...(computer ? { computer } : {}) })}
    >
      {words.text && <p>{words.text}</p>}
      {action === 'SET_PRIORITY' && (
        <TextField
          label={t('jobs.confirm.priorityLabel')}
          hint={t('jobs.confirm.priorityHint')}
          error={!priorityIsValid && t('jobs.confirm.priorityInvalid')}
          inputMode="numeric"
          value={priority}
          onChange={(event) => setPriority(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && ready && onConfirm({ priority: Number(priority) })}
        />
      )}
      {action === 'MOVE' && <ComputerChoice project={project} row={row} value={computer} onChange={setComputer} />}
      {count > 1 && <p className="mt-2 text-fg-3">{t('jobs.confirm.manyNote')}</p>}
    </ConfirmDialog>
  );
}

function useWords(action: AskedAction['action'], count: number, row: JobRowFragment | null) {
  const { t } = useTranslation();
  const one = row !== null;
  switch (action) {
    case 'STOP':
      return {
        title: one ? t('jobs.confirm.stopTitle') : t('jobs.confirm.stopTitleMany', { count }),
        text: t(`jobs.confirm.${stopConsequence(row)}`),
        confirm: t('jobs.confirm.stop'),
      };
    case 'KILL':
      return {
        title: one ? t('jobs.confirm.killTitle') : t('jobs.confirm.killTitleMany', { count }),
        text: t('jobs.confirm.killText'),
        confirm: t('jobs.confirm.kill'),
      };
    case 'RERUN':
      return {
        title: one ? t('jobs.confirm.rerunTitle') : t('jobs.confirm.rerunTitleMany', { count }),
        text: t(row?.retriedBy ? 'jobs.confirm.rerunExisting' : 'jobs.confirm.rerunText'),
        confirm: t('jobs.confirm.rerun'),
      };
    case 'FORCE_END':
      return {
        title: one ? t('jobs.confirm.forceEndTitle') : t('jobs.confirm.forceEndTitleMany', { count }),
        text: t('jobs.confirm.forceEndText'),
        confirm: t('jobs.confirm.forceEnd'),
      };
    case 'SET_PRIORITY':
      return { title: t('jobs.confirm.priorityTitle'), text: '', confirm: t('jobs.confirm.priority') };
    case 'MOVE':
      return { title: t('jobs.confirm.moveTitle'), text: '', confirm: t('jobs.confirm.move') };
  }
}

function stopConsequence(row: JobRowFragment | null) {
  if (!row) return 'stopMany';
  if (row.status !== 'RUNNING') return 'stopQueued';
  return row.noResponse ? 'stopNoResponse' : 'stopRunning';
}

interface ComputerChoiceProps {
  project: string;
  row: JobRowFragment | null;
  value: string | null;
  onChange: (id: string) => void;
}

function ComputerChoice({ project, row, value, onChange }: ComputerChoiceProps) {
  const { t } = useTranslation();
  const [{ data }] = useQuery({ query: JobFilterChoicesQuery, variables: { project } });
  const computers = (data?.project?.computers.nodes ?? []).filter((each) => each.id !== row?.computer.id);
  return (
    <Field label={t('jobs.confirm.moveLabel')} hint={t('jobs.confirm.moveHint')}>
      {({ id, describedBy }) => (
        <Select
          id={id}
          describedBy={describedBy}
          value={value}
          onChange={onChange}
          placeholder={t('jobs.confirm.moveChoose')}
          items={computers.map((each) => ({ value: each.id, label: each.name }))}
        />
      )}
    </Field>
  );
}
