/// <reference types="jest" />
import { keysOf } from './keys';
import type { PageStage } from './page-stage';
import { heading, holdBack, rows } from './parts-of-views';

/** Tests of what is selected for a decision, and what of it can be decided. */
export function selectionTests(stage: () => PageStage): void {
  test('selected findings that cannot be decided are left out, and it says so before anything is sent', async () => {
    const { open, data, running } = stage();
    const page = await open('/search');
    const keys = keysOf(page);
    await page.route('**/api/v1/me', async (route) => {
      const me = (await (await route.fetch()).json()) as { rights: { right: string }[] };
      const rights = me.rights.map((one) =>
        one.right === 'decide' ? { ...one, project_ids: [data.shop.id] } : one,
      );
      await route.fulfill({ json: { ...me, rights } });
    });
    const count = async (of: object) =>
      (await running.client.vulnerabilities({ status: 'open', per_page: 1, ...of })).total ?? 0;
    const [own, all] = [await count({ project_id: data.shop.id }), await count({})];
    await page.goto('/findings');
    await heading(page, `${all} findings`);
    await keys.reach(page.getByRole('grid'));
    await keys.press('x', 'End', 'X');
    await page.getByText(`${all} selected`).waitFor();
    await keys.press('d');
    const dialog = page.getByRole('dialog', { name: `Decide about ${own} findings` });
    await dialog
      .getByText(`${all - own} findings are left out: you may not decide in their`)
      .waitFor();
    await keys.press('Escape');
    await page.goto(`/findings?project_id=${data.billing.id}`);
    await rows(page).first().waitFor();
    await keys.press('j', 'd');
    await page
      .getByRole('status')
      .getByText('1 finding is left out: you may not decide in its project.')
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(`/findings?project_id=${data.shop.id}&status=fixed`);
    await rows(page).first().waitFor();
    await keys.press('j', 'd');
    await page.getByRole('status').getByText('only an open one can be decided').waitFor();
  });

  test('rows of the view before cannot be selected, and a range begins in the list that is shown', async () => {
    const { open, data } = stage();
    const page = await open(`/findings?project_id=${data.shop.id}`);
    const keys = keysOf(page);
    await rows(page).first().waitFor();
    await keys.reach(page.getByRole('grid'));
    await keys.press('End');
    await rows(page).and(page.locator('[class*=current]')).waitFor();
    await keys.press('x');
    await page.getByText('1 selected').waitFor();
    await keys.press('x');
    const show = await holdBack(page, /\/vulnerabilities\?.*severity=critical/);
    await keys.activate(page.getByRole('button', { name: /^Critical/ }));
    await page.locator('[role=grid][aria-busy=true]').waitFor();
    const before = page.locator('[role=rowgroup][inert]');
    const box = before.getByRole('checkbox', { includeHidden: true }).first();
    await box.click({ modifiers: ['Shift'], force: true });
    await keys.press('x', 'X');
    show();
    await heading(page, /^\d+ findings$/);
    expect(await page.getByText(/^\d+ selected/).count()).toBe(0);
    await rows(page)
      .nth(1)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText('2 selected').waitFor();
  });

  test('a range that cannot be read says so', async () => {
    const { open } = stage();
    const page = await open('/search');
    const keys = keysOf(page);
    await page.route(/\/vulnerabilities\?.*page=2/, (route) =>
      route.fulfill({ status: 500, json: { detail: 'No.', code: 'internal_error' } }),
    );
    await page.goto('/findings');
    await rows(page).first().waitFor();
    await keys.reach(page.getByRole('grid'));
    await keys.press('End', 'X');
    await page.getByRole('status').getByText('nothing was selected').waitFor();
    expect(await page.getByText(/^\d+ selected/).count()).toBe(0);
  });

  test('if the session ends while many are decided, it says how many were, and sends no more', async () => {
    const { open } = stage();
    const page = await open('/findings');
    const keys = keysOf(page);
    await rows(page).first().waitFor();
    await keys.reach(page.getByRole('grid'));
    await keys.press('x', 'End', 'X');
    const selected = parseInt(await page.getByText(/^\d+ selected/).innerText(), 10);
    let sent = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    await page.route('**/acceptances', async (route) => {
      sent += 1;
      if (sent === 1) return route.continue();
      await ended;
      return route.fulfill({ status: 401, json: { detail: 'No.', code: 'invalid_api_key' } });
    });
    await keys.press('d');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Behind the firewall');
    await keys.activate(dialog.getByRole('button', { name: /^Accept/ }));
    await dialog.getByText(`1 of ${selected} are sent.`).waitFor();
    end();
    await page.getByText('The session has ended').waitFor();
    await keys.write(page.getByLabel('API key'), stage().running.target.apiKey);
    await keys.press('Enter');
    await page.getByText(`1 of ${selected} findings decided. The others are as before.`).waitFor();
    expect(sent).toBeLessThan(9);
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Behind the firewall');
    await keys.press('Escape');
    await keys.activate(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone: open again.').waitFor();
  });
}
