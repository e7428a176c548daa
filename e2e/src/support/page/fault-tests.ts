/// <reference types="jest" />
import type { Route } from 'playwright-core';
import { visit } from './browser';
import { holdsFocus, keysOf } from './keys';
import { heading, rows } from './parts-of-views';
import type { PageStage } from './page-stage';
import { drop } from './upload-tests';

/** Tests of what the page says when the server cannot be reached or refuses, with the stack of the other ones. */
export function faultTests(stage: () => PageStage): void {
  test('a plan that cannot be copied says so, and a copied page that it is not all', async () => {
    const page = await stage().open('/plan');
    const copy = page.getByRole('button', { name: 'Copy as Markdown' });
    await page.evaluate(
      'Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })',
    );
    await keysOf(page).activate(copy);
    await page.getByText('Not copied').waitFor();
    await page.route('**/api/v1/remediations?**', async (route) => {
      const body = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...body, total_pages: 3 } });
    });
    await page.reload();
    await page.evaluate(
      'Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } })',
    );
    await keysOf(page).activate(copy);
    await page.getByText('Page 1 of 3 of the plan is in the clipboard').waitFor();
  });

  test('no connection, a rejection and the end of a key are told apart, and a slow answer has its place', async () => {
    const { open } = stage();
    const page = await open('/plan');
    await heading(page, /Upgrades close|Nothing/);
    await page.route('**/api/v1/alert-rules?**', (route) => route.abort());
    const keys = keysOf(page);
    await keys.activate(page.getByRole('link', { name: 'Alerts' }));
    await page.getByRole('main').locator('[aria-hidden=true]').first().waitFor();
    await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
    await page.unroute('**/api/v1/alert-rules?**');
    await keys.activate(page.getByRole('button', { name: 'Try again' }));
    await page.getByText('No alert rules').waitFor();
    await holdsFocus(page);
    const rejection = { detail: 'This call needs more.', code: 'insufficient_scope' };
    await page.route('**/api/v1/projects?**', (route) =>
      route.fulfill({ status: 403, json: rejection }),
    );
    await page.goto('/projects');
    await page.getByRole('alert').filter({ hasText: 'You may not do that' }).waitFor();
    await page.route('**/api/v1/vulnerabilities?**', (route) =>
      route.fulfill({ status: 401, json: { detail: 'No.', code: 'invalid_api_key' } }),
    );
    await keys.activate(page.getByRole('link', { name: 'Findings' }));
    await page.getByText('The session has ended').waitFor();
    await keys.reach(page.getByLabel('API key'));
  });

  test('what somebody was writing when the session ended is there again when they have signed in', async () => {
    const { open, running } = stage();
    const { client, target } = running;
    const { id, key } = await client.createKey({ name: 'ends', scopes: ['read', 'write'] });
    const page = await open('/findings?severity=low', { apiKey: key });
    await rows(page).first().waitFor();
    const keys = keysOf(page);
    const signIn = async (next: string) => {
      await page.getByText('The form that was open is kept').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await keys.write(page.getByLabel('API key'), next);
      await keys.press('Enter');
    };
    await keys.press('x', 'd');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Written before the end');
    await client.revokeKey(id);
    await keys.activate(dialog.getByRole('button', { name: /^Accept/ }));
    const scopes = ['read', 'write', 'upload'] as const;
    const second = await client.createKey({ name: 'ends, too', scopes: [...scopes] });
    await signIn(second.key);
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Written before the end');
    await keys.activate(dialog.getByRole('button', { name: /^Accept/ }));
    await page.getByText('1 finding decided.').waitFor();
    await keys.activate(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone: open again.').waitFor();
    await drop(page, 'refused.json');
    await keys.choose(dialog.getByLabel('Project'), 'Billing');
    await keys.write(dialog.getByLabel('Version'), '7.7');
    await client.revokeKey(second.id);
    await keys.activate(dialog.getByRole('button', { name: 'Upload' }));
    await signIn(target.apiKey ?? '');
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Version').inputValue()).toBe('7.7');
    await keys.activate(dialog.getByRole('button', { name: 'Upload' }));
    await dialog.getByText('Scanned: 1 dependency').waitFor();
    expect(await page.getByText('has not answered yet').count()).toBe(0);
  });

  test('a decision or an upload whose answer is lost is said to be possibly done', async () => {
    const { open } = stage();
    const page = await open('/findings?severity=low');
    await rows(page).first().waitFor();
    const loseAnswer = (route: Route) => route.abort();
    await page.route('**/acceptances', loseAnswer);
    const keys = keysOf(page);
    await keys.press('x', 'd');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Its answer is lost');
    await keys.activate(dialog.getByRole('button', { name: /^Accept/ }));
    const note = dialog.getByRole('alert').filter({ hasText: 'may have been done, or not' });
    await note.getByText('No answer').waitFor();
    await keys.press('Escape');
    await page.route('**/sboms/upload', loseAnswer);
    await drop(page, 'answer-lost.json');
    await keys.choose(dialog.getByLabel('Project'), 'Billing');
    await keys.activate(dialog.getByRole('button', { name: 'Upload' }));
    await note.waitFor();
    expect(await page.getByText('cannot be reached').count()).toBe(0);
  });

  test('a server that asks to wait is not asked again at once, and the page says how long', async () => {
    const page = await stage().open('/search');
    let asked = 0;
    const detail = 'Too many requests: wait for the seconds in Retry-After.';
    await page.route('**/api/v1/alert-rules?**', (route) => {
      asked += 1;
      const headers = { 'Retry-After': '20' };
      return route.fulfill({ status: 429, headers, json: { detail, code: 'rate_limited' } });
    });
    await page.goto('/alerts');
    await page.getByRole('alert').filter({ hasText: 'wait for 20 seconds' }).waitFor();
    expect(asked).toBe(1);
  });

  test('rights that are lost while a view is open are not taken for a failure of the server', async () => {
    const page = await stage().open('/search');
    await page.clock.install();
    await page.goto('/settings/feeds');
    await page.getByText(/^\d+ loaded/).waitFor();
    await page.route('**/advisories/feeds', (route) =>
      route.fulfill({ status: 403, json: { detail: 'No.', code: 'insufficient_scope' } }),
    );
    await page.clock.fastForward('01:10');
    await page.getByRole('status').getByText('you may not see it any more').waitFor();
    expect(await page.getByText('The server does not answer').count()).toBe(0);
  });

  test('whether a person is signed in, or can be, is not known while the server does not say so', async () => {
    const { running, browser } = stage();
    const { page, context } = await visit(browser, { baseUrl: running.target.baseUrl });
    const unavailable = { detail: 'Unavailable.', code: 'unavailable' };
    const fail = (route: Route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, json: unavailable });
    const note = page.getByRole('status').filter({ hasText: 'with your organisation' });
    await page.route('**/version', fail);
    await page.goto('/');
    await note.getByText('Unavailable. The server asks to wait for 30 seconds.').waitFor();
    await page.unroute('**/version');
    await page.route('**/version', (route) => route.fulfill({ json: { sign_in: true } }));
    await page.route('**/api/v1/me', fail);
    await keysOf(page).activate(note.getByRole('button', { name: 'Try again' }));
    await note.waitFor();
    await page.unroute('**/api/v1/me');
    await keysOf(page).activate(note.getByRole('button', { name: 'Try again' }));
    await page.getByRole('link', { name: 'Sign in with your organisation' }).waitFor();
    expect(await note.count()).toBe(0);
    await context.close();
  });
}
