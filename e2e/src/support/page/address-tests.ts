/// <reference types="jest" />
import { send } from '@bomtrail/api-client';
import type { Route } from 'playwright-core';
import { createAlertCalls } from '../alerts/alert-calls';
import { keysOf } from './keys';
import { exploited } from './page-addresses';
import { heading, isWide } from './parts-of-views';
import type { PageStage } from './page-stage';
import { drop } from './upload-tests';

/** More projects than a choice offers; those at hand are not among the newest. */
const fewOfMany = (route: Route) =>
  route.fulfill({ json: { items: [], total: 3_000, total_pages: 15 } });

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

  test('what no filter takes of an address narrows nothing, and no view fails of it', async () => {
    const { open, data, running } = stage();
    const page = await open('/findings');
    await heading(page, /^\d+ findings$/);
    const all = await page.getByRole('heading', { level: 1 }).innerText();
    const asked = page.waitForRequest(/\/vulnerabilities\?.*per_page=75/);
    await page.goto('/findings?kev=yes&overdue=1&severity=bad&status=old&project_id=shop&sort=x');
    const query = new URL((await asked).url()).searchParams;
    expect([query.get('kev'), query.get('overdue'), query.get('status')]).toEqual([
      null,
      null,
      'open',
    ]);
    await heading(page, all);
    expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0);
    const { items } = await running.client.history(data.shop.id);
    await page.goto(`/sboms/${items[0]?.id}?tab=unchecked`);
    await page.getByRole('tab', { name: /^Findings/, selected: true }).waitFor();
    for (const [address, title] of [
      ['/projects?page=last', /^\d+ projects$/],
      ['/decisions?project_id=shop&decision=all', /^\d+ decisions?$/],
      ['/plan?page=-1', /^Upgrades close/],
    ] as const) {
      await page.goto(address);
      await heading(page, title);
    }
  });

  test('a page of alert rules, of SBOMs or of retention is an address, and each view names its tab', async () => {
    const { open, data, running } = stage();
    const rule = { project_id: data.shop.id, kev: true };
    await createAlertCalls(running.target).create(rule);
    const page = await open('/projects');
    await heading(page, /^[2-9] projects/);
    expect(await page.title()).toMatch(/^[2-9] projects – bomtrail$/);
    for (const [api, address, title] of [
      ['**/api/v1/alert-rules?**', '/alerts', /rules? – bomtrail$/],
      ['**/history?**', `/projects/${data.shop.slug}`, /shop – bomtrail/i],
      ['**/api/v1/projects?**per_page=50**', '/settings/retention', /bomtrail$/],
    ] as const) {
      await page.route(api, async (route) => {
        const url = route
          .request()
          .url()
          .replace(/([?&])page=\d+/, '$1page=1');
        const body = (await (await route.fetch({ url })).json()) as object;
        await route.fulfill({ json: { ...body, total_pages: 3 } });
      });
      await page.goto(address);
      await page.getByText('1 of 3').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('2 of 3').waitFor();
      expect(await page.title()).toMatch(title);
      await page.reload();
      await page.getByText('2 of 3').waitFor();
      await page.goBack();
      await page.getByText('1 of 3').waitFor();
    }
  });

  test('on a narrow screen the filters of an address are in sight, columns have their names, and nothing moves sideways', async () => {
    const { open, data, running } = stage();
    const page = await open('/findings?has_fix=false', { width: 360 });
    for (const name of ['Take away the filter: No fix known', 'Clear filters']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect([name, (box?.x ?? 360) + (box?.width ?? 0) < 360]).toEqual([name, true]);
    }
    const heading = page.getByRole('columnheader').getByRole('button', { name: 'Vulnerability' });
    expect((await heading.boundingBox())?.width).toBeGreaterThan(50);
    const { items } = await running.client.history(data.shop.id);
    const path = `/api/v1/projects/${data.hostile.id}`;
    const own = (body: object) => send(running.target, { method: 'PATCH', path, body });
    await own({ owner: 'O'.repeat(64), labels: ['L'.repeat(64)] });
    const project = `/projects/${data.hostile.slug}`;
    for (const address of [
      '/findings',
      project,
      `/sboms/${items[0]?.id}`,
      `/search?q=${'x'.repeat(500)}`,
    ]) {
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      expect([address, await page.evaluate(isWide)]).toEqual([address, false]);
    }
    await own({ owner: null, labels: [] });
  });

  test('findings of a project are not called those of all, also if there are too many to choose from', async () => {
    const { open, data } = stage();
    const page = await open('/search');
    const keys = keysOf(page);
    await page.route(/projects\?per_page=200&page=\d+$/, fewOfMany);
    const project = page.getByRole('combobox', { name: 'Project' });
    for (const view of ['findings', 'plan', 'decisions']) {
      await page.goto(`/${view}?project_id=${data.shop.id}`);
      await page.waitForLoadState('networkidle');
      expect([view, await project.inputValue()]).toEqual([view, data.shop.id]);
      await project.getByRole('option', { name: 'Web Shop' }).waitFor({ state: 'attached' });
      await keys.write(page.getByRole('searchbox', { name: /name contains/i }), 'billi');
      await project.getByRole('option', { name: 'Billing' }).waitFor({ state: 'attached' });
      await keys.choose(project, 'Billing');
      await page.waitForURL((url) => url.searchParams.get('project_id') === data.billing.id);
    }
  });

  test('a project that is not among those to choose from has its name in alert rules and the audit log', async () => {
    const { open, data, running } = stage();
    const alerts = createAlertCalls(running.target);
    const id = await alerts.create({ project_id: data.billing.id, kev: true });
    const page = await open('/search');
    await page.route(/projects\?per_page=200&page=/, fewOfMany);
    await page.goto('/alerts');
    await page.getByRole('button', { name: /Billing / }).waitFor();
    await page.goto('/settings/audit');
    const entry = page.getByRole('row').filter({ hasText: 'createAlertRule' }).first();
    await entry.getByRole('link', { name: 'Billing' }).waitFor();
    await send(running.target, { method: 'DELETE', path: `/api/v1/alert-rules/${id}` });
  });

  test('a rule and an upload can name a project that is not among those to choose from', async () => {
    const { open, data } = stage();
    const page = await open('/search');
    const keys = keysOf(page);
    await page.route(/projects\?per_page=200&page=\d+$/, fewOfMany);
    await page.goto('/alerts');
    await keys.activate(page.getByRole('button', { name: 'New rule' }));
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Name contains'), 'billi');
    await dialog.getByRole('option', { name: 'Billing' }).waitFor({ state: 'attached' });
    await keys.choose(dialog.getByLabel('Project'), 'Billing');
    // What is chosen stays so, whatever is looked for.
    await keys.write(dialog.getByLabel('Name contains'), '');
    expect(await dialog.getByLabel('Project').inputValue()).toBe(data.billing.id);
    await page.goto(`/projects/${data.shop.slug}`);
    await heading(page, 'Web Shop');
    await drop(page, 'dropped.json');
    expect(await dialog.getByLabel('Project').inputValue()).toBe(data.shop.id);
    await dialog.getByRole('option', { name: 'Web Shop' }).waitFor({ state: 'attached' });
  });

  test('a day without a time is the same in each time zone', async () => {
    const { open, running } = stage();
    const page = await open('/findings?detected_since=2026-11-20', {
      timeZone: 'Pacific/Pago_Pago',
    });
    await page
      .getByRole('button', { name: 'Take away the filter: New since 20 Nov 2026 (UTC)' })
      .waitFor();
    const [finding] = (await running.client.vulnerabilities({ cve_id: exploited })).items;
    const added = Number(finding?.kev?.date_added.slice(8));
    await page.goto(`/findings?finding=${finding?.id}`);
    await page.getByText(new RegExp(`^Known exploited since ${added} `)).waitFor();
  });

  test('the numbers of the plan of a project lead to findings of this project', async () => {
    const { open, data } = stage();
    const page = await open(`/plan?project_id=${data.shop.id}`);
    await keysOf(page).activate(page.locator('tbody').getByRole('link').first());
    await page.waitForURL(/findings\?.*package_name=/);
    expect(new URL(page.url()).searchParams.get('project_id')).toBe(data.shop.id);
  });
}
