import { expect, prefer, rowAt, test, violations } from './fixtures';

const LOOKS = [
  ['light', 'en'],
  ['dark', 'ja'],
] as const;

for (const [theme, lang] of LOOKS) {
  test.describe(`${theme} ${lang}`, () => {
    test.beforeEach(async ({ page }) => {
      test.setTimeout(90_000);
      await prefer(page, theme, lang);
    });

    test('jobs with details: log, events, fields', async ({ page, api }) => {
      const id = await api.launch({ name: 'accessible', command: 'exit 1' });
      await api.waitFor(id, 'FAILED');
      for (const tab of ['log', 'events', 'details']) {
        await page.goto(`/p/${api.project}/jobs?job=${id}&tab=${tab}`);
        await expect(page.getByRole('region', { name: /Job details|Jobの詳細/ })).toBeVisible();
        await page.waitForTimeout(500);
        expect(await violations(page), tab).toEqual([]);
      }
    });

    test('why a job waits, and a selection', async ({ page, api }) => {
      const id = await api.launch({ name: 'waits', command: 'true', computer: 'workstation' });
      await page.goto(`/p/${api.project}/jobs?job=${id}`);
      await expect(page.getByText(/No worker is assigned|担当するworkerがいません/)).toBeVisible();
      await rowAt(page, 0).click({ modifiers: ['Control'] });
      await rowAt(page, 1).click({ modifiers: ['Control'] });
      await expect(page.getByRole('toolbar')).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });

    test('menu, question and search', async ({ page, api }) => {
      await page.goto(`/p/${api.project}/jobs`);
      await rowAt(page, 0).click({ button: 'right' });
      await expect(page.getByRole('menu')).toBeVisible();
      expect(await violations(page, { popup: true }), 'menu').toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('combobox')).toBeVisible();
      expect(await violations(page, { popup: true }), 'search').toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await violations(page, { popup: true }), 'shortcuts').toEqual([]);
    });

    test('nothing found, and an address that leads nowhere', async ({ page, api }) => {
      await page.goto(`/p/${api.project}/jobs?q=zzzzzz`);
      await expect(page.getByText(/No jobs match|条件に合うJobがありません/)).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.goto('/p/no-such-project/jobs');
      await expect(page.getByText(/There is nothing here|ここには何もありません/)).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });

    test.describe('signed out', () => {
      test.use({ storageState: { cookies: [], origins: [] } });
      test('sign-in page', async ({ page }) => {
        await page.goto('/sign-in');
        await expect(page.getByRole('heading')).toBeVisible();
        expect(await violations(page)).toEqual([]);
      });
    });
  });
}
