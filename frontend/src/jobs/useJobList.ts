import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { directClient } from '@/api/client';
import type { JobFilter, JobRowFragment } from '@/api/generated/graphql';
import { subscribeLive, usePolling } from '@/api/live';
import { JobList, type Movement } from './jobList';
import { JobsChangedSubscription, JobsPageQuery } from './queries';

export type Row = JobRowFragment;

/** The list asks its page, which knows what the reader is doing. */
export type MayMove = () => Movement;

/** The list of a project under a filter, kept up to date. */
export function useJobList(project: string, filter: JobFilter, mayMove: MayMove) {
  const key = JSON.stringify([project, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for project and filter
  const list = useMemo(() => {
    return new JobList<Row>(async (after, first) => {
      const { data, error } = await directClient
        .query(JobsPageQuery, { project, filter, first, after }, { requestPolicy: 'network-only' })
        .toPromise();
      if (error) throw error;
      const jobs = data?.project?.jobs;
      if (!jobs) return { rows: [], endCursor: null, hasMore: false };
      return {
        rows: jobs.edges.map((edge) => edge.node),
        endCursor: jobs.pageInfo.endCursor ?? null,
        hasMore: jobs.pageInfo.hasNextPage,
      };
    });
  }, [key]);

  const asked = useRef(mayMove);
  asked.current = mayMove;
  const visible = useRef({ from: 0, to: 0 });
  const refresh = useCallback(() => list.refresh(visible.current.from, visible.current.to, asked.current()), [list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is made from project and filter
  useEffect(() => {
    let cursor: string | undefined;
    const first = list.restart();
    return subscribeLive(JobsChangedSubscription, () => ({ project, filter, after: cursor }), {
      next: ({ jobsChanged }) => {
        // What changed between reading the first page and the beginning of the subscription is in neither: look once more.
        if (cursor === undefined) void first.then(refresh);
        cursor = jobsChanged.cursor;
        if (jobsChanged.resync) void refresh();
        else list.apply(jobsChanged, asked.current());
      },
    });
  }, [list]);
  usePolling(refresh);

  const version = useSyncExternalStore(list.subscribe, list.getVersion);
  const ensure = useCallback(
    (from: number, to: number) => {
      visible.current = { from, to };
      list.ensure(from, to);
    },
    [list],
  );
  return { list, version, ensure };
}
