import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LaunchOptionsQuery } from '@/api/generated/graphql';
import { Checkbox, Field, Notice, Select, TextField } from '@/ui';
import type { StepProps } from './WhatStep';

export type Computer = NonNullable<LaunchOptionsQuery['project']>['computers']['nodes'][number];

interface WhereStepProps extends StepProps {
  project: string;
  computers: readonly Computer[];
}

/** Step 2: where it runs. */
export function WhereStep({ draft, change, errorOf, project, computers }: WhereStepProps): ReactElement {
  const { t } = useTranslation();
  const [cleared, setCleared] = useState(false);
  const chosen = computers.find((c) => c.name === draft.computer);
  const label = (c: Computer) => {
    if (c.workerState === 'NONE') return t('launch.withoutWorker', { name: c.name });
    if (c.workerState === 'OFFLINE') return t('launch.workerOffline', { name: c.name });
    return c.name;
  };
  const choose = (name: string) => {
    setCleared(name !== draft.computer && (draft.gpuIds.length > 0 || draft.gpuCount !== ''));
    change({ computer: name, gpuIds: [], gpuCount: '' });
  };
  const toggle = (id: string, on: boolean) => {
    setCleared(false);
    change({ gpuIds: on ? [...draft.gpuIds, id] : draft.gpuIds.filter((x) => x !== id), gpuCount: '' });
  };
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Field label={t('launch.computer')} error={errorOf('computer')}>
        {({ id, describedBy, invalid }) => (
          <Select
            id={id}
            describedBy={describedBy}
            invalid={invalid}
            value={draft.computer || null}
            onChange={choose}
            placeholder={t('launch.chooseComputer')}
            items={computers
              .filter((c) => c.usable)
              .map((c) => ({ value: c.name, label: label(c), disabled: !c.enabled }))}
          />
        )}
      </Field>
      {chosen && (chosen.workerState === 'NONE' || chosen.workerState === 'OFFLINE') && (
        <Notice
          tone="warning"
          action={
            <Link
              to="/p/$project/computers"
              params={{ project }}
              search={{ computer: chosen.name }}
              className="text-sm font-medium text-accent-text hover:underline"
            >
              {t('launch.openWorkerSetup')}
            </Link>
          }
        >
          {chosen.workerState === 'NONE'
            ? t('launch.noWorkerWarning', { name: chosen.name })
            : t('launch.offlineWarning', { name: chosen.name })}
        </Notice>
      )}
      {cleared && <Notice>{t('launch.gpusCleared')}</Notice>}
      {chosen && (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-xs font-medium text-fg-2">{t('launch.gpus')}</legend>
          {chosen.gpus.length === 0 && <p className="text-sm text-fg-3">{t('launch.noGpus')}</p>}
          {chosen.gpus.map((gpu) => (
            <Checkbox
              key={gpu.id}
              checked={draft.gpuIds.includes(gpu.id)}
              onChange={(on) => toggle(gpu.id, on)}
              label={`${gpu.id} · ${gpu.name}`}
              hint={gpu.inUse ? t('launch.gpuInUse') : undefined}
            />
          ))}
          {chosen.gpus.length > 0 && (
            <TextField
              label={t('launch.gpuCount')}
              optional={t('common.optional')}
              inputMode="numeric"
              disabled={draft.gpuIds.length > 0}
              fieldClassName="mt-2 max-w-40"
              value={draft.gpuCount}
              error={errorOf('gpuCount')}
              onChange={(event) => change({ gpuCount: event.target.value })}
            />
          )}
          {errorOf('gpuIds') && <p className="text-xs text-danger">{errorOf('gpuIds')}</p>}
        </fieldset>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('launch.timeLimit')}
          optional={t('common.optional')}
          hint={t('launch.timeLimitHint')}
          placeholder="02:00:00"
          value={draft.timeLimit}
          error={errorOf('timeLimit')}
          onChange={(event) => change({ timeLimit: event.target.value })}
        />
        <TextField
          label={t('launch.priority')}
          hint={t('launch.priorityHint')}
          inputMode="numeric"
          value={draft.priority}
          error={errorOf('priority')}
          onChange={(event) => change({ priority: event.target.value })}
        />
      </div>
      <Checkbox
        checked={draft.held}
        onChange={(held) => change({ held })}
        label={t('launch.hold')}
        hint={t('launch.holdHint')}
      />
    </div>
  );
}
