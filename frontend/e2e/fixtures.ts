import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page, request } from '@playwright/test';
import type { Started } from './server';

export { expect };

const statePath = (name: string) => fileURLToPath(new URL(`./.state/${name}`, import.meta.url));
export const server = () => JSON.parse(readFileSync(statePath('server.json'), 'utf8')) as Started;

/** Every test also fails on an error in the page's console. */
export const test = base.extend<{ quiet: undefined; api: Api }>({
  quiet: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the form a fixture must have
  api: async ({}, use) => {
    const api = new Api();
    await use(api);
    await api.stopAll();
  },
});

/** What a test arranges behind the page's back. */
export class Api {
  private readonly started = server();
  private readonly launched: string[] = [];
  readonly project = this.started.project;

  async graphql<T>(query: string, variables: object = {}): Promise<T> {
    const response = await fetch(`${this.started.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.started.token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: T; errors?: { message: string }[] };
    if (errors) throw new Error(errors[0]?.message);
    return data;
  }

  /** As the person who is signed in with a browser: some things no token may do. */
  async asPerson<T>(query: string, variables: object = {}): Promise<T> {
    const context = await request.newContext({ baseURL: this.started.url, storageState: statePath('session.json') });
    const response = await context.post('/graphql', { data: { query, variables } });
    const { data, errors } = (await response.json()) as { data: T; errors?: { message: string }[] };
    await context.dispose();
    if (errors) throw new Error(errors[0]?.message);
    return data;
  }

  /** The name of the computer this host's worker runs jobs on. */
  async computer(): Promise<string> {
    const query = `query ($key: String!) {
      project(key: $key) { computers(first: 50) { nodes { name workerState(project: $key) } } }
    }`;
    type Answer = { project: { computers: { nodes: { name: string; workerState: string }[] } } };
    const { project } = await this.graphql<Answer>(query, { key: this.project });
    const online = project.computers.nodes.find((each) => each.workerState === 'ONLINE');
    if (!online) throw new Error('no computer is online');
    return online.name;
  }

  async launch(input: { name: string; command: string } & Record<string, unknown>): Promise<string> {
    const computer = input.computer ?? (await this.computer());
    const query = 'mutation ($input: LaunchJobInput!) { launchJob(input: $input) { job { id } } }';
    type Answer = { launchJob: { job: { id: string } } };
    const { launchJob } = await this.graphql<Answer>(query, { input: { project: this.project, ...input, computer } });
    this.launched.push(launchJob.job.id);
    return launchJob.job.id;
  }

  async waitFor(id: string, status: string) {
    await expect
      .poll(
        async () =>
          (await this.graphql<{ job: { status: string } }>('query ($id: ID!) { job(id: $id) { status } }', { id })).job
            .status,
        { timeout: 20_000 },
      )
      .toBe(status);
  }

  async stopAll() {
    if (this.launched.length === 0) return;
    const query = 'mutation ($input: JobsInput!) { killJobs(input: $input) { done } }';
    await this.graphql(query, { input: { jobIds: this.launched } }).catch(() => {});
  }
}

/** The row at a place of the list, 0 at the top. */
export const rowAt = (page: Page, index: number) => page.locator(`[role="row"][data-index="${index}"]`);

export async function prefer(page: Page, theme: 'light' | 'dark', lang: 'en' | 'ja') {
  await page.addInitScript(
    ([t, l]) => {
      localStorage.setItem('nightshift.theme', t as string);
      localStorage.setItem('nightshift.lang', l as string);
    },
    [theme, lang],
  );
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What an accessibility scan finds wrong. `region` is off while a popup is open: popups live beside the landmarks. */
export async function violations(page: Page, options: { popup?: boolean } = {}) {
  const scan = new AxeBuilder({ page }).withTags(TAGS).disableRules(options.popup ? ['region'] : []);
  const { violations } = await scan.analyze();
  return violations.map(
    (each) =>
      `${each.id} (${each.impact}): ${each.nodes
        .slice(0, 3)
        .map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message?.slice(0, 140) ?? ''}`)
        .join(' | ')}`,
  );
}
