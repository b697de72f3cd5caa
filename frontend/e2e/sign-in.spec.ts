import { expect, test } from './fixtures';

test.use({ storageState: { cookies: [], origins: [] } });

const newPerson = () => `person${Math.random().toString(36).slice(2, 8)}`;

test('whoever is not signed in comes to the sign-in page and back to where they wanted', async ({ page, api }) => {
  const name = newPerson();
  const { createUser } = await api.asPerson<{ createUser: { signInUrl: string } }>(
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { signInUrl } }',
    { input: { name } },
  );
  await api.graphql('mutation ($input: SetMemberInput!) { setMember(input: $input) { member { role } } }', {
    input: { project: api.project, userName: name, role: 'VIEWER' },
  });
  await page.goto(`/p/${api.project}/jobs?status=failed`);
  await expect(page.getByRole('heading', { name: 'Sign in to Nightshift' })).toBeVisible();

  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('The name or the password is not right.');
  await expect(page.getByLabel('Name')).toHaveValue(name);

  const link = new URL(createUser.signInUrl);
  await page.goto(`${link.pathname}${link.search}`);
  await expect(page.getByRole('heading', { name: 'Jobs', exact: true })).toBeVisible();
  await expect(page).not.toHaveURL(/link=/);
  await expect(page.getByRole('button', { name: 'Launch job' })).toHaveCount(0);

  await page.getByRole('button', { name: `Account of ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Nightshift' })).toBeVisible();
});

test('a used link says so', async ({ page }) => {
  await page.goto('/sign-in?link=nsl_this-was-never-a-link');
  await expect(page.getByRole('alert')).toContainText('expired or was already used');
  await expect(page).not.toHaveURL(/link=/);
});
