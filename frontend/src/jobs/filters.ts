import type { JobFilter, JobStatus, RunKind } from '@/api/generated/graphql';
import { JOB_STATUSES, type JobsSearch } from './search';

export const RUN_KINDS: readonly RunKind[] = ['TRAINING', 'FINE_TUNING', 'INFERENCE', 'EVALUATION', 'DATA_PROCESSING'];

export const statusesOf = (search: JobsSearch): JobStatus[] => {
  const wanted = new Set(search.status?.toUpperCase().split(',') ?? []);
  return JOB_STATUSES.filter((status) => wanted.has(status));
};
export const statusParam = (statuses: readonly JobStatus[]) =>
  statuses.length > 0 ? statuses.map((status) => status.toLowerCase()).join(',') : undefined;

/** The address as the server's filter. */
export function filterOf(search: JobsSearch): JobFilter {
  const status = statusesOf(search);
  const kind = RUN_KINDS.find((each) => each === search.kind?.toUpperCase());
  const text = search.q?.trim();
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(kind ? { kinds: [kind] } : {}),
    ...(search.computer ? { computer: search.computer } : {}),
    ...(search.person ? { createdBy: search.person } : {}),
    ...(search.array ? { arrayId: search.array } : {}),
    ...(text ? { text } : {}),
  };
}

/** The same without the statuses: what the counts beside the statuses are about. */
export function withoutStatus({ status: _, ...rest }: JobFilter): JobFilter {
  return rest;
}

export const hasFilters = (search: JobsSearch) => Object.keys(filterOf(search)).length > 0;

export const CLEARED = {
  status: undefined,
  kind: undefined,
  computer: undefined,
  person: undefined,
  array: undefined,
  q: undefined,
} satisfies JobsSearch;
