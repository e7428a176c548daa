/// <reference types="jest" />
import { keysOf } from './keys';
import type { PageStage } from './page-stage';
import { heading, rows } from './parts-of-views';

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
}
