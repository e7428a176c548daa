/// <reference types="jest" />
import { keysOf } from './keys';
import { heading } from './parts-of-views';
import type { PageStage } from './page-stage';

/** Tests of what stands in addresses, with the stack of the other ones. */
export function addressTests(stage: () => PageStage): void {
  test('the filter of the projects is in the address, survives a reload, and keeps the focus', async () => {
    const { open } = stage();
    const page = await open('/projects');
    const keys = keysOf(page);
    const name = page.getByLabel('Name contains');
    await keys.write(name, 'Bill');
    await keys.press('Enter');
    await page.waitForURL(/\?name=Bill$/);
    await heading(page, '1 project');
    await name.and(page.locator(':focus')).waitFor();
    await page.reload();
    await heading(page, '1 project');
    expect(await name.inputValue()).toBe('Bill');
    await keys.write(name, '');
    await page.waitForURL(/projects$/);
    await heading(page, /^[2-9] projects/);
  });

  test('the numbers of the plan of a project lead to findings of this project', async () => {
    const { open, data } = stage();
    const page = await open(`/plan?project_id=${data.shop.id}`);
    await keysOf(page).activate(page.locator('tbody').getByRole('link').first());
    await page.waitForURL(/findings\?.*package_name=/);
    expect(new URL(page.url()).searchParams.get('project_id')).toBe(data.shop.id);
  });
}
