import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft } from './draft';
import type { Computer } from './WhereStep';

/** Step 3: everything once more, as it will be sent. */
export function Review({
  draft,
  computer,
  experiment,
}: {
  draft: Draft;
  computer: Computer | undefined;
  experiment: string;
}): ReactElement {
  const { t } = useTranslation();
  const gpus =
    draft.gpuIds.length > 0
      ? draft.gpuIds.join(', ')
      : Number(draft.gpuCount) > 0
        ? `GPU ×${draft.gpuCount}`
        : t('common.cpuOnly');
  const secrets = draft.secrets.filter((row) => row.name.trim()).map((row) => row.name.trim());
  const rows: [string, ReactNode][] = [
    [t('launch.command'), <Code key="c">{draft.command}</Code>],
    [t('launch.runName'), draft.name.trim() || t('launch.fromCommand')],
    [t('launch.kind'), t(`common.kind.${draft.kind}`)],
    [t('launch.experiment'), experiment],
    [t('launch.workingDirectory'), draft.workingDirectory.trim() || computer?.workFolder || t('launch.workFolder')],
    [t('launch.computer'), draft.computer],
    [t('launch.gpus'), gpus],
    [t('launch.timeLimit'), draft.timeLimit.trim() || t('common.none')],
    [t('launch.priority'), draft.priority],
  ];
  if (draft.held) rows.push([t('launch.hold'), t('launch.holdHint')]);
  if (draft.after.trim()) rows.push([t('launch.after'), draft.after.trim()]);
  for (const field of ['parameters', 'tags', 'environment'] as const) {
    if (draft[field].trim() && draft[field].trim() !== '{}')
      rows.push([t(`launch.${field}`), <Code key={field}>{draft[field]}</Code>]);
  }
  if (secrets.length > 0) rows.push([t('launch.secrets'), secrets.join(', ')]);
  if (computer?.pricePerHour) rows.push([t('launch.price'), t('launch.pricePerHour', { ...computer.pricePerHour })]);
  return (
    <dl className="grid max-w-2xl grid-cols-[minmax(96px,160px)_1fr] gap-x-4 gap-y-2.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-fg-3">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const Code = ({ children }: { children: ReactNode }) => (
  <pre className="max-h-48 overflow-auto rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs leading-[18px] whitespace-pre-wrap">
    {children}
  </pre>
);
