import { chromium, type Browser, type Page } from 'playwright-core';
import { pageOrigin, usualPeople } from '../testing/start-oidc-provider';
import { startWithSignIn, type SignInGateway } from '../testing/start-with-sign-in';

let running: SignInGateway;
let browser: Browser;

beforeAll(async () => {
  const roles = [
    { group: 'team-a', role: 'viewer' },
    { group: 'boss', role: 'administrator' },
  ];
  running = await startWithSignIn(roles, { WEB_PAGE: 'true' });
  const ada = { name: 'Ada', email: 'ada@example.org', email_verified: true, groups: ['boss'] };
  await running.provider.change({ ...usualPeople, ada });
  const { default: packed } = await import('@sparticuz/chromium');
  browser = await chromium.launch({
    executablePath: await packed.executablePath(),
    args: [
      // Without web security no request would say where it comes from.
      ...packed.args.filter((one) => !['--single-process', '--disable-web-security'].includes(one)),
      `--host-resolver-rules=MAP bomtrail.test 127.0.0.1:${running.gateway.port}`,
    ],
    headless: true,
  });
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

test('people sign in on the page, end at the view that they wanted, and sign out', async () => {
  const context = await browser.newContext({ baseURL: pageOrigin });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) problems.push(line.text());
  });

  await page.goto('/projects');
  await signInAs(page, 'kim');
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/projects');
  await page.getByText('Kim', { exact: true }).waitFor();
  // A viewer creates none.
  expect(await page.getByRole('button', { name: /new project/i }).count()).toBe(0);
  const readable = await page.evaluate('JSON.stringify(sessionStorage) + document.cookie');
  expect(readable).not.toMatch(/bomtrail_session|bt_/);

  await page.reload();
  await page.getByText('Kim', { exact: true }).waitFor();
  await page.route('**/auth/sign-out', (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You may still be signed in').waitFor();
  await page.unroute('**/auth/sign-out');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.origin === running.provider.issuer);
  await page.goto('/projects');
  await page.getByLabel('API key').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a viewer makes a key of their own, and an administrator ends the sessions and keys of others', async () => {
  const open = async (login: string, address: string): Promise<Page> => {
    const context = await browser.newContext({ baseURL: pageOrigin });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(address);
    await signInAs(page, login);
    return page;
  };
  const kim = await open('kim', '/settings/own-keys');
  await kim.getByText('No keys of your own').waitFor();
  expect(await kim.getByRole('link', { name: 'People' }).count()).toBe(0);
  await kim.getByRole('button', { name: 'New key' }).click();
  await kim.getByLabel('Name').fill('Laptop');
  await kim.getByLabel('Upload and check').check();
  const dialog = kim.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New key' }).click();
  await dialog.getByRole('alert').getByText('nothing of the scope upload').waitFor();
  await dialog.getByLabel('Upload and check').uncheck();
  await dialog.getByRole('button', { name: 'New key' }).click();
  // The alert has a code, too: the id of the request.
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  const key = (await dialog.locator('code').innerText()).trim();
  const status = async (): Promise<number> =>
    (await running.gateway.call('GET', '/api/v1/me', { headers: bearer(key) })).status;
  expect(await status()).toBe(200);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await kim.getByRole('row').filter({ hasText: 'Laptop' }).waitFor();

  const ada = await open('ada', '/settings/people');
  await ada.getByRole('button', { name: 'End the sessions of Kim' }).click();
  await ada.getByLabel('Also revoke their own keys').check();
  await ada.getByRole('button', { name: 'End the sessions', exact: true }).click();
  await ada.getByText(/^Ended: [1-9]\d* sessions, 1 keys\.$/).waitFor();
  expect(await status()).toBe(401);
  await kim.getByRole('link', { name: 'Projects', exact: true }).click();
  await kim.getByText('The session has ended').waitFor();
  await kim.context().close();
  await ada.context().close();
});

test('a sign-in that failed says so, and what else there is', async () => {
  const page = await browser.newPage({ baseURL: pageOrigin });
  await page.goto('/findings?kev=true&sign_in_error=unavailable');
  await page.getByRole('alert').getByText('The identity provider cannot be reached.').waitFor();
  await page.getByLabel('API key').waitFor();
  const again = page.locator('a[href^="/auth/sign-in"]');
  expect(await again.getAttribute('href')).toContain(encodeURIComponent('/findings?kev=true'));
  await page.close();
});
