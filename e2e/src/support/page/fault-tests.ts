/// <reference types="jest" />
import type { Route } from 'playwright-core';
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
}
