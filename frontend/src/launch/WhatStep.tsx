import { Plus, Trash2 } from 'lucide-react';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunKind } from '@/api/generated/graphql';
import { Button, Field, IconButton, Input, Segmented, Select, TextArea, TextField } from '@/ui';
import type { Draft, FieldName } from './draft';

const JsonEditor = lazy(() => import('@/ui/JsonEditor'));

const KINDS: readonly RunKind[] = ['TRAINING', 'FINE_TUNING', 'INFERENCE', 'EVALUATION', 'DATA_PROCESSING'];
type Json = 'parameters' | 'tags' | 'environment';

export interface StepProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  errorOf: (field: FieldName) => string | undefined;
}

/** Step 1: what is run. */
export function WhatStep({
  draft,
  change,
  errorOf,
  experiments,
}: StepProps & { experiments: readonly { id: string; name: string; isDefault: boolean }[] }): ReactElement {
  const { t } = useTranslation();
  const [json, setJson] = useState<Json>('parameters');
  const bad = (['parameters', 'tags', 'environment'] as const).find((field) => errorOf(field));
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Field label={t('launch.command')} hint={t('launch.commandHint')} error={errorOf('command')}>
        {({ id, describedBy, invalid }) => (
          <TextArea
            id={id}
            mono
            rows={3}
            autoFocus
            spellCheck={false}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            value={draft.command}
            placeholder="python3 train.py --epochs 10"
            onChange={(event) => change({ command: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('launch.runName')}
          optional={t('common.optional')}
          value={draft.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Field label={t('launch.kind')}>
          {({ id }) => (
            <Select
              id={id}
              value={draft.kind}
              onChange={(kind) => change({ kind: kind as RunKind })}
              items={KINDS.map((kind) => ({ value: kind, label: t(`common.kind.${kind}`) }))}
            />
          )}
        </Field>
        <Field label={t('launch.experiment')} error={errorOf('experimentId')}>
          {({ id }) => (
            <Select
              id={id}
              value={draft.experimentId || (experiments.find((e) => e.isDefault)?.id ?? null)}
              onChange={(experimentId) => change({ experimentId })}
              items={experiments.map((e) => ({ value: e.id, label: e.name }))}
            />
          )}
        </Field>
        <TextField
          mono
          label={t('launch.workingDirectory')}
          optional={t('common.optional')}
          hint={t('launch.workingDirectoryHint')}
          value={draft.workingDirectory}
          error={errorOf('workingDirectory')}
          onChange={(event) => change({ workingDirectory: event.target.value })}
        />
      </div>
      <div className="flex flex-col gap-1.5">
        <Segmented<Json>
          label={t('launch.json')}
          value={json}
          onChange={setJson}
          options={[
            { value: 'parameters', label: t('launch.parameters') },
            { value: 'tags', label: t('launch.tags') },
            { value: 'environment', label: t('launch.environment') },
          ]}
        />
        <div className="h-32 overflow-hidden rounded-md border border-line-strong">
          <Suspense fallback={<div className="h-full bg-sunken" />}>
            <JsonEditor
              key={json}
              label={t(`launch.${json}`)}
              value={draft[json]}
              onChange={(text) => change({ [json]: text })}
            />
          </Suspense>
        </div>
        <p role="status" className={bad ? 'text-xs text-danger' : 'text-xs text-fg-3'}>
          {bad ? `${t(`launch.${bad}`)}: ${errorOf(bad)}` : t('launch.jsonValid')}
        </p>
      </div>
      <Secrets draft={draft} change={change} error={errorOf('secretEnvironment')} />
      <TextField
        mono
        label={t('launch.after')}
        optional={t('common.optional')}
        hint={t('launch.afterHint')}
        value={draft.after}
        error={errorOf('after')}
        onChange={(event) => change({ after: event.target.value })}
      />
    </div>
  );
}

function Secrets({ draft, change, error }: { draft: Draft; change: StepProps['change']; error: string | undefined }) {
  const { t } = useTranslation();
  const set = (i: number, part: Partial<Draft['secrets'][number]>) =>
    change({ secrets: draft.secrets.map((row, n) => (n === i ? { ...row, ...part } : row)) });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-xs font-medium text-fg-2">{t('launch.secrets')}</legend>
      {draft.secrets.map((row, i) => (
        <div key={i} className="flex gap-2">
          <Input
            mono
            aria-label={t('launch.secretName')}
            placeholder="HF_TOKEN"
            value={row.name}
            onChange={(event) => set(i, { name: event.target.value })}
          />
          <Input
            mono
            type="password"
            autoComplete="off"
            aria-label={t('launch.secretValue')}
            value={row.value}
            onChange={(event) => set(i, { value: event.target.value })}
          />
          <IconButton
            label={t('launch.removeSecret')}
            onClick={() => change({ secrets: draft.secrets.filter((_, n) => n !== i) })}
          >
            <Trash2 />
          </IconButton>
        </div>
      ))}
      <div className="flex items-center gap-3">
        <Button
          size="sm"
          icon={<Plus />}
          onClick={() => change({ secrets: [...draft.secrets, { name: '', value: '' }] })}
        >
          {t('launch.addSecret')}
        </Button>
        <span className={error ? 'text-xs text-danger' : 'text-xs text-fg-3'}>{error ?? t('launch.secretsHint')}</span>
      </div>
    </fieldset>
  );
}
