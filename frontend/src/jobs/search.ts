import type { JobStatus } from '@/api/generated/graphql';

export const JOB_STATUSES: readonly JobStatus[] = ['QUEUED', 'ASSIGNED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'];
export const DETAIL_TABS = ['log', 'events', 'details'] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

/** What the address of the Jobs page says: a link shows a colleague the same thing. */
export interface JobsSearch {
  /** The job whose details are open. */
  job?: string | undefined;
  tab?: DetailTab | undefined;
  /** Statuses, joined with commas. */
  status?: string | undefined;
  /** A computer's name. */
  computer?: string | undefined;
  /** The id of the person who created the jobs. */
  person?: string | undefined;
  kind?: string | undefined;
  array?: string | undefined;
  q?: string | undefined;
  /** A line of the log to show. */
  line?: number | undefined;
  /** The launch dialog is open. */
  launch?: true | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export function parseJobsSearch(search: Record<string, unknown>): JobsSearch {
  const line = Number(search.line);
  return {
    job: text(search.job),
    tab: DETAIL_TABS.find((tab) => tab === search.tab),
    status: text(search.status),
    computer: text(search.computer),
    person: text(search.person),
    kind: text(search.kind),
    array: text(search.array),
    q: text(search.q),
    launch: search.launch === 'true' || search.launch === true || undefined,
    line: Number.isInteger(line) && line > 0 ? line : undefined,
  };
}
