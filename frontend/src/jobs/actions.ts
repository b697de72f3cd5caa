import type { JobAction, JobFilter, JobRowFragment, JobsInput } from '@/api/generated/graphql';

/** What an action is about: some rows, or everything that matches a filter. */
export type Target =
  | { kind: 'rows'; ids: readonly string[]; rows: readonly JobRowFragment[] }
  | { kind: 'all'; project: string; filter: JobFilter; count: number };

export const targetCount = (target: Target) => (target.kind === 'all' ? target.count : target.ids.length);

/** The one job of the target, when it is one and known. */
export const singleRow = (target: Target): JobRowFragment | null =>
  target.kind === 'rows' && target.ids.length === 1 ? (target.rows[0] ?? null) : null;

/** The server refuses when there are by now more or fewer than the reader saw. */
export function jobsInput(target: Target): JobsInput {
  if (target.kind === 'rows') return { jobIds: [...target.ids] };
  return { project: target.project, filter: target.filter, expectedCount: target.count };
}

/** Actions that only know a list of ids. */
const NEEDS_IDS: readonly JobAction[] = ['SET_PRIORITY', 'MOVE', 'RERUN'];

/** Whether at least one of the target's jobs may be acted on; of those not loaded the server decides. */
export function mayAct(target: Target, action: JobAction): boolean {
  if (target.kind === 'all') return !NEEDS_IDS.includes(action);
  if (target.rows.length < target.ids.length) return true;
  return target.rows.some((row) => row.allowedActions.includes(action));
}

/** The denial all rows have in common, to be said instead of buttons. */
export function commonDenial(target: Target): 'NOT_CREATOR' | 'VIEWER_ONLY' | null {
  if (target.kind === 'all') return null;
  const reasons = new Set(target.rows.map((row) => row.deniedReason ?? null));
  const [reason] = reasons;
  return reasons.size === 1 && (reason === 'NOT_CREATOR' || reason === 'VIEWER_ONLY') ? reason : null;
}
