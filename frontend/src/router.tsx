import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { basePath } from './api/base';
import { NotFound, PageFailed } from './ErrorPages';
import { withTexts } from './i18n';
import { type JobsSearch, parseJobsSearch } from './jobs/search';
import { whenIdle } from './lib/idle';
import { Root } from './Root';
import { Shell } from './Shell';
import { StartPage } from './StartPage';

const loadComputers = () => withTexts(['computers'], () => import('./computers/ComputersPage'));
const loadMembers = () => withTexts(['members'], () => import('./members/MembersPage'));
const loadAccount = () => withTexts(['account'], () => import('./account/AccountPage'));
for (const load of [loadComputers, loadMembers, loadAccount]) whenIdle(load);

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageFailed });

export interface SignInSearch {
  /** The secret of a one-time link: signs in at once. */
  link?: string | undefined;
  /** Where to go afterwards. */
  to?: string | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => withTexts(['auth'], () => import('./auth/SignInPage')), 'SignInPage'),
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({ link: text(search.link), to: text(search.to) }),
});

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });
const start = createRoute({ getParentRoute: () => shell, path: '/', component: StartPage });
const project = createRoute({ getParentRoute: () => shell, path: '/p/$project' });

const jobs = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs/JobsPage'), 'JobsPage'),
  validateSearch: (search: Record<string, unknown>): JobsSearch => parseJobsSearch(search),
});
export interface ComputersSearch {
  /** The computer whose details are open. */
  computer?: string | undefined;
}
const computers = createRoute({
  getParentRoute: () => project,
  path: '/computers',
  component: lazyRouteComponent(loadComputers, 'ComputersPage'),
  validateSearch: (search: Record<string, unknown>): ComputersSearch => ({ computer: text(search.computer) }),
});
const members = createRoute({
  getParentRoute: () => project,
  path: '/members',
  component: lazyRouteComponent(loadMembers, 'MembersPage'),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyRouteComponent(loadAccount, 'AccountPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([start, project.addChildren([jobs, computers, members]), account]),
  ]),
  ...(basePath ? { basepath: basePath } : {}),
  defaultPreload: 'intent',
  // Plain query strings: ?job=1a2b, not the router's own JSON form ?job=%221a2b%22.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
    return query ? `?${query}` : '';
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
