import type { LaunchJobInput, RunKind } from '@/api/generated/graphql';

/** What has been typed so far. Numbers and JSON stay text until they are sent, so that a mistake is kept and can be mended. */
export interface Draft {
  name: string;
  experimentId: string;
  kind: RunKind;
  command: string;
  workingDirectory: string;
  parameters: string;
  tags: string;
  environment: string;
  secrets: { name: string; value: string }[];
  after: string;
  computer: string;
  gpuIds: string[];
  gpuCount: string;
  timeLimit: string;
  priority: string;
  held: boolean;
}

const emptyDraft: Draft = {
  name: '',
  experimentId: '',
  kind: 'TRAINING',
  command: '',
  workingDirectory: '',
  parameters: '{}',
  tags: '{}',
  environment: '{}',
  secrets: [],
  after: '',
  computer: '',
  gpuIds: [],
  gpuCount: '',
  timeLimit: '',
  priority: '0',
  held: false,
};

const asText = (value: unknown) =>
  value && typeof value === 'object' && Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : '{}';

export function draftFrom(prefill?: Partial<LaunchJobInput>): Draft {
  if (!prefill) return emptyDraft;
  return {
    ...emptyDraft,
    name: prefill.name ?? '',
    experimentId: String(prefill.experimentId ?? ''),
    kind: prefill.kind ?? 'TRAINING',
    command: prefill.command ?? '',
    workingDirectory: prefill.workingDirectory ?? '',
    parameters: asText(prefill.parameters),
    tags: asText(prefill.tags),
    environment: asText(prefill.environment),
    computer: prefill.computer ?? '',
    gpuIds: [...(prefill.gpuIds ?? [])],
    timeLimit: prefill.timeLimit ?? '',
    priority: String(prefill.priority ?? 0),
  };
}

export type FieldName = keyof LaunchJobInput;
export type Problem = 'required' | 'json' | 'object' | 'strings' | 'number' | 'time';
export type Problems = Partial<Record<FieldName, Problem>>;

export const STEPS: readonly (readonly FieldName[])[] = [
  [
    'name',
    'experimentId',
    'kind',
    'command',
    'workingDirectory',
    'parameters',
    'tags',
    'environment',
    'secretEnvironment',
    'after',
  ],
  ['computer', 'gpuIds', 'gpuCount', 'timeLimit', 'priority', 'held', 'maxAttempts'],
  [],
];

/** The step that a field is on. */
export const stepOf = (field: string) =>
  Math.max(
    0,
    STEPS.findIndex((fields) => (fields as readonly string[]).includes(field)),
  );

function jsonProblem(text: string, strings: boolean): Problem | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'object';
    if (strings && Object.values(value).some((v) => v === null || typeof v === 'object')) return 'strings';
    return undefined;
  } catch {
    return 'json';
  }
}

/** What cannot be sent as it is. */
export function problemsOf(draft: Draft): Problems {
  const found: Problems = {};
  const note = (field: FieldName, problem: Problem | undefined) => {
    if (problem) found[field] = problem;
  };
  note('command', draft.command.trim() ? undefined : 'required');
  note('computer', draft.computer ? undefined : 'required');
  note('parameters', jsonProblem(draft.parameters, false));
  note('tags', jsonProblem(draft.tags, false));
  note('environment', jsonProblem(draft.environment, true));
  note('priority', /^-?\d{1,4}$/.test(draft.priority.trim()) ? undefined : 'number');
  note('gpuCount', draft.gpuCount.trim() === '' || /^\d{1,2}$/.test(draft.gpuCount.trim()) ? undefined : 'number');
  note(
    'timeLimit',
    draft.timeLimit.trim() === '' || /^(\d{1,3}-)?\d{1,4}:[0-5]\d:[0-5]\d$/.test(draft.timeLimit.trim())
      ? undefined
      : 'time',
  );
  return found;
}

const parsed = (text: string): unknown => (text.trim() === '' ? {} : JSON.parse(text));

/** The launch as the server takes it; only for a draft without problems. */
export function inputOf(project: string, requestId: string, draft: Draft): LaunchJobInput {
  const secrets = draft.secrets.filter((row) => row.name.trim() !== '');
  const after = draft.after.split(/[\s,]+/).filter(Boolean);
  return {
    project,
    requestId,
    kind: draft.kind,
    command: draft.command,
    maxAttempts: 3,
    priority: Number(draft.priority),
    held: draft.held,
    computer: draft.computer,
    parameters: parsed(draft.parameters),
    tags: parsed(draft.tags),
    environment: parsed(draft.environment),
    ...(draft.name.trim() ? { name: draft.name.trim() } : {}),
    ...(draft.experimentId ? { experimentId: draft.experimentId } : {}),
    ...(draft.workingDirectory.trim() ? { workingDirectory: draft.workingDirectory.trim() } : {}),
    ...(secrets.length > 0
      ? { secretEnvironment: Object.fromEntries(secrets.map((row) => [row.name.trim(), row.value])) }
      : {}),
    ...(after.length > 0 ? { after } : {}),
    ...(draft.gpuIds.length > 0 ? { gpuIds: draft.gpuIds } : {}),
    ...(draft.gpuIds.length === 0 && Number(draft.gpuCount) > 0 ? { gpuCount: Number(draft.gpuCount) } : {}),
    ...(draft.timeLimit.trim() ? { timeLimit: draft.timeLimit.trim() } : {}),
  };
}
