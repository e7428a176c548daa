import { chromium, type Browser, type Page } from 'playwright-core';
import { pageOrigin } from '../testing/start-oidc-provider';
import { startWithSignIn, type SignInGateway } from '../testing/start-with-sign-in';

let running: SignInGateway;
let browser: Browser;

beforeAll(async () => {
  running = await startWithSignIn([{ group: 'team-a', role: 'viewer' }], { WEB_PAGE: 'true' });
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
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.origin === running.provider.issuer);
  await page.goto('/projects');
  await page.getByLabel('API key').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a sign-in that failed says so, and what else there is', async () => {
  const page = await browser.newPage({ baseURL: pageOrigin });
  await page.goto('/?sign_in_error=unavailable');
  await page.getByRole('alert').getByText('The identity provider cannot be reached.').waitFor();
  await page.getByLabel('API key').waitFor();
  await page.close();
});
