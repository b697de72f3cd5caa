import { useQuery } from 'urql';
import { useKept } from '@/lib/useKept';
import { graphql } from './generated';
import type { ViewerQuery as Data } from './generated/graphql';

/** Who is signed in and the projects they may see: what every page needs. */
export const ViewerQuery = graphql(`
  query Viewer {
    viewer { kind isGlobalAdmin language theme hasPassword user { id name displayName } }
    projects { id key name role }
  }
`);

export type Viewer = NonNullable<Data['viewer']>;
export type ProjectSummary = Data['projects'][number];

export function useViewer() {
  const [{ data: answer, fetching, error }, refresh] = useQuery({ query: ViewerQuery });
  const data = useKept(answer, 'viewer');
  return {
    viewer: data?.viewer ?? null,
    projects: data?.projects ?? [],
    loaded: Boolean(data),
    fetching,
    error,
    refresh,
  };
}

/** The project of the page with the viewer's role in it; null while loading or when they may not see it. */
export function useProject(key: string): ProjectSummary | null {
  return useViewer().projects.find((project) => project.key === key) ?? null;
}

export const mayLaunch = (project: ProjectSummary | null) => project?.role === 'EDITOR' || project?.role === 'ADMIN';
export const isProjectAdmin = (project: ProjectSummary | null) => project?.role === 'ADMIN';
