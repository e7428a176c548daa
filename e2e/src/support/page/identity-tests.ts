/// <reference types="jest" />
import { keysOf } from './keys';
import { heading } from './parts-of-views';
import type { PageStage } from './page-stage';

/** Tests of one tab that is used by one after the other, with the stack of the other ones. */
export function identityTests(stage: () => PageStage): void {
  test('a person whose session is found after a key was signed out is offered nothing that the key might do', async () => {
    const { open, running } = stage();
    const { apiKey } = running.target;
    const page = await open('/alerts');
    const signOut = page.getByRole('button', { name: 'Sign out' });
    const newRule = page.getByRole('button', { name: 'New rule' });
    await newRule.waitFor();
    await page.route('**/version', async (route) => {
      const version = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...version, sign_in: true } });
    });
    await page.route('**/api/v1/**', async (route) => {
      const { authorization, ...headers } = route.request().headers();
      if (authorization) return route.continue();
      const asKey = { ...headers, authorization: `Bearer ${apiKey}` };
      const response = await route.fetch({ headers: asKey });
      if (!route.request().url().endsWith('/me')) return route.fulfill({ response });
      const me = (await response.json()) as object;
      const person = { subject: 'kim', name: 'Kim Reader', email: null };
      return route.fulfill({
        json: { ...me, person, rights: [{ right: 'read', project_ids: null }] },
      });
    });
    await keysOf(page).activate(signOut);
    await page.getByText('Kim Reader').waitFor();
    await heading(page, /rules?$/);
    expect(await newRule.count()).toBe(0);
  });
}
