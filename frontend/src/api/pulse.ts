import { useEffect, useRef } from 'react';
import { graphql } from './generated';
import { subscribeLive, usePolling } from './live';

/** Says only that something changed, in whatever job of the project. */
const JobsPulseSubscription = graphql(`
  subscription JobsPulse($project: String!, $after: String) {
    jobsChanged(project: $project, after: $after) { cursor }
  }
`);

/** Calls back when jobs of a project have changed, at most once in `everyMs`; without a connection every few seconds. */
export function useProjectPulse(project: string, everyMs: number, callback: () => void) {
  const latest = useRef(callback);
  latest.current = callback;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cursor: string | undefined;
    const stop = subscribeLive(JobsPulseSubscription, () => ({ project, after: cursor }), {
      next: ({ jobsChanged }) => {
        const isFirst = cursor === undefined;
        cursor = jobsChanged.cursor;
        if (isFirst) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          latest.current();
        }, everyMs);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [project, everyMs]);
  usePolling(() => latest.current());
}
