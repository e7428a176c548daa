/// <reference types="jest" />
import type { Page } from 'playwright-core';
import { keysOf } from './keys';
import type { PageStage } from './page-stage';
import { heading } from './parts-of-views';

/** Tests of a slow or failing server, of other people, and of an upgrade, while a tab is open. */
export function staleTests(stage: () => PageStage): void {
  /** Holds back matching answers until the returned function is called. */
  async function holdBack(page: Page, pattern: string | RegExp): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(pattern, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }

  test('while an answer is on its way, nothing of the filter before counts as that of the new one', async () => {
    const { open, data } = stage();
    const page = await open('/findings?severity=critical');
    const keys = keysOf(page);
    await heading(page, /^\d+ findings?$/);
    const showFindings = await holdBack(page, /\/vulnerabilities\?.*severity=critical(%2C|,)high/);
    await keys.activate(page.getByRole('button', { name: /^High/ }));
    await page.locator('[role=grid][aria-busy=true]').waitFor();
    await heading(page, /^Findings/);
    showFindings();
    await heading(page, /^\d+ findings$/);

    await page.goto('/plan');
    await heading(page, /^Upgrades close/);
    const showPlan = await holdBack(page, /\/remediations\?.*project_id/);
    await keys.choose(page.getByLabel('Project'), 'Billing');
    await heading(page, 'Upgrade plan');
    await page.locator('[aria-busy=true][inert]').getByRole('table').waitFor({ state: 'attached' });
    const copy = page.getByRole('button', { name: 'Copy as Markdown' });
    expect(await copy.isEnabled()).toBe(false);
    showPlan();
    await heading(page, /^Upgrades close/);
    expect(await copy.isEnabled()).toBe(true);
    expect(await page.locator('[inert]').count()).toBe(0);

    await page.goto(`/decisions?project_id=${data.shop.id}`);
    await heading(page, /^\d+ decisions?$/);
    const showDecisions = await holdBack(page, /\/acceptances\?.*decision=in_triage/);
    await keys.choose(page.getByLabel('Decision'), 'in_triage');
    await heading(page, 'Decisions');
    const print = page.getByRole('button', { name: 'Print' });
    expect(await print.isEnabled()).toBe(false);
    showDecisions();
    await heading(page, '0 decisions');
    expect(await print.isEnabled()).toBe(true);

    await page.goto('/projects');
    await heading(page, /^\d+ projects$/);
    const showProjects = await holdBack(page, /\/projects\?.*name=/);
    await keys.write(page.getByRole('searchbox').first(), 'Billing');
    await keys.press('Enter');
    await heading(page, 'Projects');
    showProjects();
    await heading(page, '1 project');
  });
}
