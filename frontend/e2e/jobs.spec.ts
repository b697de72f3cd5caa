import { expect, rowAt, test } from './fixtures';

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 7)}`;

test('M-01 a job launched elsewhere appears at the top by itself', async ({ page, api }) => {
  await page.goto(`/p/${api.project}/jobs`);
  await expect(page.getByRole('grid', { name: 'List of jobs' })).toBeVisible();
  await expect(rowAt(page, 0)).toBeVisible();
  const name = unique('hello');
  const id = await api.launch({ name, command: 'sleep 2' });
  const row = page.locator(`#job-${id}`);
  await expect(row).toContainText(name);
  await expect(rowAt(page, 0)).toContainText(name);
  await expect(row).toContainText('Running');
  await expect(row).toContainText('Completed');
});

test('M-07, M-66 pressing a job opens its details and the address says so', async ({ page, api }) => {
  const name = unique('details');
  const id = await api.launch({ name, command: 'echo hi' });
  await api.waitFor(id, 'COMPLETED');
  await page.goto(`/p/${api.project}/jobs`);
  await page.locator(`#job-${id}`).click();
  await expect(page).toHaveURL(new RegExp(`job=${id}`));
  const details = page.getByRole('region', { name: 'Job details' });
  await expect(details.getByRole('heading', { name })).toBeVisible();
  await details.getByRole('tab', { name: /Events/ }).click();
  await expect(details.getByText(`“${name}” was launched on`)).toBeVisible();
  await expect(details.getByText('Completed').first()).toBeVisible();
  await details.getByRole('tab', { name: 'Details' }).click();
  await expect(details.getByText('echo hi')).toBeVisible();
  await page.reload();
  await expect(details.getByRole('heading', { name })).toBeVisible();
  await details.getByRole('button', { name: 'Hide details' }).click();
  await expect(details).toHaveCount(0);
});

test('M-81, M-82 stopping asks first, names everything, and ends canceled', async ({ page, api }) => {
  const name = unique('to stop');
  const id = await api.launch({ name, command: 'sleep 300' });
  await api.waitFor(id, 'RUNNING');
  await page.goto(`/p/${api.project}/jobs?job=${id}`);
  const details = page.getByRole('region', { name: 'Job details' });
  await details.getByRole('button', { name: 'Request stop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop this job?' });
  await expect(dialog).toContainText(name);
  await expect(dialog).toContainText(await api.computer());
  await expect(dialog).toContainText('The process is asked to stop');
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator(`#job-${id}`)).toContainText('Canceled', { timeout: 20_000 });
  await expect(details.getByRole('button', { name: 'Rerun as a new run' })).toBeVisible();
});

test('M-85, M-90 rerunning opens the new job; a second time it opens the same', async ({ page, api }) => {
  const name = unique('again');
  const id = await api.launch({ name, command: 'exit 3' });
  await api.waitFor(id, 'FAILED');
  await page.goto(`/p/${api.project}/jobs?job=${id}`);
  const details = page.getByRole('region', { name: 'Job details' });
  await expect(details.getByRole('status', { name: 'Job error' })).toHaveText('The program ended with exit code 3.');
  const rerun = async () => {
    await details.getByRole('button', { name: 'Rerun as a new run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rerun', exact: true }).click();
    await expect(details.getByRole('heading', { name: `${name} (retry 2)` })).toBeVisible();
  };
  await rerun();
  const first = page.url();
  await page.goto(`/p/${api.project}/jobs?job=${id}`);
  await expect(details.getByRole('heading', { name, exact: true })).toBeVisible();
  await rerun();
  expect(page.url()).toBe(first);
});

test('a command that does not exist is explained in both languages', async ({ page, api }) => {
  const id = await api.launch({ name: unique('typo'), command: 'no-such-command-here' });
  await api.waitFor(id, 'FAILED');
  await page.goto(`/p/${api.project}/jobs?job=${id}`);
  await expect(page.getByText('The command was not found on the computer.')).toBeVisible();
  await page.getByRole('button', { name: '日本語' }).click();
  await expect(page.getByText('コンピュータにコマンドが見つかりません。')).toBeVisible();
  await page.getByRole('button', { name: 'English' }).click();
});

test('M-55, M-58 jobs for a computer without a worker say why they wait', async ({ page, api }) => {
  const id = await api.launch({ name: unique('waits'), command: 'true', computer: 'workstation' });
  await page.goto(`/p/${api.project}/jobs?job=${id}`);
  await expect(page.getByRole('region', { name: 'Queued jobs that cannot start' })).toContainText(
    /workstation: \d+ queued/,
  );
  await expect(page.getByText('No worker is assigned to “workstation”.')).toBeVisible();
});

test('hold and unhold, with undo', async ({ page, api }) => {
  const id = await api.launch({ name: unique('held'), command: 'true', computer: 'workstation' });
  await page.goto(`/p/${api.project}/jobs`);
  const row = page.locator(`#job-${id}`);
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Hold' }).click();
  await expect(row).toContainText('Held');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).not.toContainText('Held');
});

test('set priority and refuse what is not a number', async ({ page, api }) => {
  const id = await api.launch({ name: unique('important'), command: 'true', computer: 'workstation' });
  await page.goto(`/p/${api.project}/jobs`);
  const row = page.locator(`#job-${id}`);
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Set priority…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set priority' });
  await dialog.getByLabel('Priority').fill('12x');
  await expect(dialog.getByRole('button', { name: 'Set priority' })).toBeDisabled();
  await dialog.getByLabel('Priority').fill('12');
  await dialog.getByRole('button', { name: 'Set priority' }).click();
  await expect(row.getByTitle('Priority 12')).toBeVisible();
});

test('keyboard: move, select, extend, open, close', async ({ page, api }) => {
  for (let n = 0; n < 4; n++) await api.launch({ name: unique('row'), command: 'true', computer: 'workstation' });
  await page.goto(`/p/${api.project}/jobs`);
  const grid = page.getByRole('grid', { name: 'List of jobs' });
  await expect(rowAt(page, 3)).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(grid.locator('[aria-selected="true"]')).toHaveCount(3);
  await expect(page.getByRole('toolbar')).toContainText('3 selected');
  await page.keyboard.press('Escape');
  await expect(grid.locator('[aria-selected="true"]')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Job details' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Job details' })).toHaveCount(0);
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('toolbar')).toContainText(/\d+ selected/);
});

test('M-19 the filters are in the address', async ({ page, api }) => {
  const id = await api.launch({ name: unique('fails'), command: 'exit 1' });
  await api.waitFor(id, 'FAILED');
  await page.goto(`/p/${api.project}/jobs`);
  await page.getByRole('button', { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(rowAt(page, 0)).toContainText('Failed');
  await expect(page.getByRole('grid')).not.toContainText('Completed');
  await page.getByLabel('Filter by run name or job ID').fill('no such job at all');
  await expect(page.getByText('No jobs match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('grid')).toContainText('Completed');
  await expect(page).not.toHaveURL(/status=/);
});

test('search finds a job by its name and a page by its word', async ({ page, api }) => {
  const name = unique('findme');
  const id = await api.launch({ name, command: 'true', computer: 'workstation' });
  await page.goto(`/p/${api.project}/computers`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.getByRole('option', { name: new RegExp(name) }).click();
  await expect(page).toHaveURL(new RegExp(`jobs\\?job=${id}`));
});

test('theme and language stay', async ({ page, api }) => {
  await page.goto(`/p/${api.project}/jobs`);
  await page.getByRole('button', { name: '日本語' }).click();
  await expect(page.getByRole('columnheader', { name: '状態' })).toBeVisible();
  await page.getByRole('button', { name: 'ダーク' }).click();
  await page.reload();
  await expect(page.getByRole('columnheader', { name: '状態' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await page.getByRole('button', { name: 'ライト' }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('columnheader', { name: 'Status' })).toBeVisible();
});

test('on a phone: two-line cards with the same actions, details fill the screen', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const name = unique('phone');
  const id = await api.launch({ name, command: 'true', computer: 'workstation' });
  await page.goto(`/p/${api.project}/jobs`);
  const row = page.locator(`#job-${id}`);
  await expect(row).toContainText(name);
  await row.getByRole('button', { name: /^Actions of job/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Request stop' })).toBeVisible();
  await page.keyboard.press('Escape');
  await row.click();
  const details = page.getByRole('region', { name: 'Job details' });
  await expect(details.getByRole('heading', { name })).toBeVisible();
  expect((await details.boundingBox())?.width).toBe(390);
  await details.getByRole('button', { name: 'Hide details' }).click();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('link', { name: 'Compute' })).toBeVisible();
});
