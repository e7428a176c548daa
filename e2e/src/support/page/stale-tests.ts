/// <reference types="jest" />
import { send } from '@bomtrail/api-client';
import type { Route } from 'playwright-core';
import { createAlertCalls } from '../alerts/alert-calls';
import { npmDocument } from '../examples';
import { keysOf } from './keys';
import { exploited } from './page-addresses';
import type { PageStage } from './page-stage';
import { heading, holdBack, rows } from './parts-of-views';

/** Tests of a slow or failing server, of other people, and of an upgrade, while a tab is open. */
export function staleTests(stage: () => PageStage): void {
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

  test('ending a decision that this caller cannot end does not say that the finding is open again', async () => {
    const { open, running } = stage();
    const [finding] = (await running.client.vulnerabilities({ cve_id: exploited })).items;
    const path = '/api/v1/vulnerabilities/acceptances/global';
    const body = { vulnerability_id: finding?.id, reason: 'For all projects' };
    const made = await send(running.target, { method: 'POST', path, body });
    const { id } = (await made.json()) as { id: string };
    const page = await open(`/findings?finding=${finding?.id}`);
    await keysOf(page).activate(page.getByRole('button', { name: 'End it' }));
    await page.getByRole('status').getByText('was not ended').waitFor();
    expect(await page.getByText('open again').count()).toBe(0);
    await page.getByRole('complementary').getByText('For all projects').waitFor();
    await send(running.target, { method: 'DELETE', path: `${path}/${id}` });
  });

  test('somebody with different roles in two projects is offered what they may do in the one at hand', async () => {
    const { open, data, running } = stage();
    const page = await open('/search');
    await page.route('**/api/v1/me', async (route) => {
      const me = (await (await route.fetch()).json()) as { rights: { right: string }[] };
      const ofShop = (right: string) => ({ right, project_ids: [data.shop.id] });
      const rights = me.rights.map((one) => (one.right === 'read' ? one : ofShop(one.right)));
      await route.fulfill({ json: { ...me, rights } });
    });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const offered = ['Rules', 'Owner and labels'];
    await page.goto(`/projects/${data.shop.slug}`);
    for (const one of offered) await button(one).waitFor();
    await page.getByRole('heading', { name: 'Upload an SBOM' }).waitFor();
    await page.goto(`/projects/${data.billing.slug}`);
    await heading(page, 'Billing');
    await page.getByText('Never shipped.').waitFor();
    for (const one of offered) expect(await button(one).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Upload an SBOM' }).count()).toBe(0);
    for (const project of [data.shop, data.billing]) {
      const { items } = await running.client.vulnerabilities({
        project_id: project.id,
        status: 'open',
        per_page: 1,
      });
      const told = page.waitForResponse('**/api/v1/me');
      await page.goto(`/findings?finding=${items[0]?.id}`);
      await told;
      const panel = page.getByRole('complementary');
      await panel.getByText('Package').first().waitFor();
      const decide = panel.getByRole('button', { name: 'Decide …' });
      if (project === data.shop) await decide.waitFor();
      else expect(await decide.count()).toBe(0);
    }
  });

  test('what was not touched in a dialog keeps what somebody else has made of it meanwhile', async () => {
    const { open, data, running } = stage();
    const path = `/api/v1/projects/${data.billing.id}`;
    const read = async () => (await send(running.target, { method: 'GET', path })).json();
    const change = (body: object) => send(running.target, { method: 'PATCH', path, body });
    const page = await open(`/projects/${data.billing.slug}`);
    const keys = keysOf(page);
    const dialog = page.getByRole('dialog');
    await keys.activate(page.getByRole('button', { name: 'Owner and labels' }));
    await keys.write(dialog.getByLabel('Owner'), 'team-billing');
    await change({ labels: ['by-another-tab'], service_levels: { critical: 7 } });
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ owner: 'team-billing', labels: ['by-another-tab'] });
    await keys.activate(page.getByRole('button', { name: 'Rules', exact: true }));
    await keys.write(dialog.getByLabel('And those of the last days'), '400');
    await change({ service_levels: { critical: 3 } });
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ service_levels: { critical: 3 } });
    // What is sent as a whole is refused.
    await keys.activate(page.getByRole('button', { name: 'Rules', exact: true }));
    await keys.write(dialog.getByLabel('High'), '20');
    await change({ service_levels: { critical: 1 }, retention: { keep_last: 5 } });
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await dialog.getByRole('alert').getByText('changed elsewhere').waitFor();
    const kept = { service_levels: { critical: 1 }, retention: { keep_last: 5 } };
    expect(await read()).toMatchObject(kept);
    await keys.press('Escape');
    await keys.activate(page.getByRole('button', { name: 'Owner and labels' }));
    await keys.write(dialog.getByLabel('Labels'), 'mine');
    await change({ labels: ['by-another-tab', 'one-more'] });
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await dialog.getByRole('alert').getByText('changed elsewhere').waitFor();
    expect(await read()).toMatchObject({ labels: ['by-another-tab', 'one-more'] });
    await keys.press('Escape');
    await change({ owner: null, labels: [], service_levels: null, retention: null });
  });

  test('what was not touched of a rule keeps what somebody else has made of it, and what is sent as a whole is refused', async () => {
    const { open, data, running } = stage();
    const expires_at = '2099-12-31T23:30:00.000Z';
    const rule = await running.client.createDecisionRule(data.billing.id, {
      name: 'Two tabs',
      filter: { package_name: 'nothing*' },
      decision: 'false_positive',
      reason: 'Never shipped.',
      expires_at,
    });
    const page = await open(`/projects/${data.billing.slug}`);
    const keys = keysOf(page);
    const dialog = page.getByRole('dialog');
    await keys.activate(page.getByRole('button', { name: 'Change the rule Two tabs' }));
    // In Berlin it is the next day then.
    expect(await dialog.getByLabel('Until').inputValue()).toBe('2100-01-01');
    await keys.write(dialog.getByLabel('Reason'), 'From this tab.');
    const path = `/api/v1/decision-rules/${rule.id}`;
    const body = { name: 'By another tab', decision: 'risk_accepted' };
    await send(running.target, { method: 'PATCH', path, body });
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'detached' });
    const { items } = await running.client.decisionRules(data.billing.id);
    expect(items).toContainEqual(
      expect.objectContaining({ ...body, reason: 'From this tab.', expires_at }),
    );
    await running.client.deleteDecisionRule(rule.id);

    const alerts = createAlertCalls(running.target);
    const id = await alerts.create({
      project_id: data.billing.id,
      severity_threshold: 'high',
      notification_type: 'slack',
    });
    await page.goto('/alerts');
    await keys.activate(page.getByRole('button', { name: 'Change', exact: true }).first());
    await keys.choose(dialog.getByLabel('Tells of findings of'), 'critical');
    await alerts.change(id, { notification_type: 'teams', config: { kev: true } });
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'detached' });
    const stored = { severity_threshold: 'critical', notification_type: 'teams', kev: true };
    expect(await alerts.read(id)).toMatchObject(stored);
    await keys.activate(page.getByRole('button', { name: 'Change', exact: true }).first());
    await keys.choose(dialog.getByLabel('EPSS'), '0.1');
    await alerts.change(id, { config: { kev: true, owner: 'Kim' } });
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await dialog.getByRole('alert').getByText('changed elsewhere').waitFor();
    expect(await alerts.read(id)).toMatchObject({ min_epss: null, options: { owner: 'Kim' } });
    await send(running.target, { method: 'DELETE', path: `/api/v1/alert-rules/${id}` });
  });

  test('a view that replaces another one is announced, the first one is not', async () => {
    const { open, data } = stage();
    const page = await open('/projects');
    const keys = keysOf(page);
    const said = page.locator('p[aria-live=polite]');
    await heading(page, /^\d+ projects$/);
    expect(await said.innerText()).toBe('');
    await keys.activate(page.getByRole('link', { name: 'Billing', exact: true }));
    await said.getByText('Billing', { exact: true }).waitFor();
    await page.goBack();
    await said.getByText(/^(\d+ )?projects$/i).waitFor();
    await keys.activate(page.getByRole('link', { name: 'Web Shop', exact: true }));
    await said.getByText('Web Shop', { exact: true }).waitFor();
    expect(page.url()).toContain(data.shop.slug);
  });

  test('a dialog that is closed before the server answers does not look as if nothing was sent', async () => {
    const page = await stage().open('/findings');
    const keys = keysOf(page);
    await rows(page).first().waitFor();
    await keys.press('j', 'd');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Behind the firewall');
    const send = await holdBack(page, /\/acceptances$/);
    await keys.activate(dialog.getByRole('button', { name: 'Accept' }));
    await dialog.getByRole('button', { name: 'Accept', disabled: true }).waitFor();
    await keys.press('Escape');
    await page.getByRole('status').getByText('has not answered yet').waitFor();
    send();
    await page.getByText('1 finding decided.').waitFor();
    await keys.activate(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone: open again.').waitFor();
  });

  test('findings that somebody has decided otherwise are not counted as decided', async () => {
    const { open, running, data } = stage();
    const project_id = data.billing.id;
    const [triaged] = (await running.client.vulnerabilities({ project_id, per_page: 1 })).items;
    const { id } = await running.client.accept({
      project_id,
      vulnerability_id: triaged?.id ?? '',
      service_id: triaged?.service_id ?? null,
      reason: 'We look at it.',
      decision: 'in_triage',
    });
    const page = await open(`/findings?project_id=${project_id}&sort=cvss_score`);
    const keys = keysOf(page);
    await rows(page).first().waitFor();
    await keys.reach(page.getByRole('grid'));
    await keys.press('x', 'End', 'X');
    await page.getByText(/^\d+ selected/).waitFor();
    await keys.press('d');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Behind the firewall');
    await keys.activate(dialog.getByRole('button', { name: /^Accept/ }));
    await dialog
      .getByRole('alert')
      .getByText(/already/)
      .waitFor();
    await page.getByText(/findings? decided\./).waitFor();
    await keys.activate(dialog.getByRole('button', { name: 'Cancel' }));
    await keys.activate(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone: open again.').waitFor();
    const acceptance = `/api/v1/vulnerabilities/acceptances/${id}`;
    await send(running.target, { method: 'DELETE', path: acceptance });
  });

  test.each([/\/assets\/search-[^/]*\.css/, /\/assets\/search-[^/]*\.js/])(
    'a view whose files %s are gone after an upgrade is loaded from the new page',
    async (pattern) => {
      const page = await stage().open('/');
      await heading(page, /.+/);
      let loads = 0;
      page.on('load', () => (loads += 1));
      const missing = (route: Route) =>
        loads > 0
          ? route.continue()
          : route.fulfill({ status: 404, json: { detail: 'No.', code: 'not_found' } });
      await page.route(pattern, missing);
      await page.reload();
      await heading(page, /.+/);
      loads = 0;
      await keysOf(page).activate(page.getByRole('link', { name: 'Am I affected?' }));
      await heading(page, 'Am I affected?');
      expect(await page.getByText('This view has failed').count()).toBe(0);
    },
  );

  test('rows and counts that cannot be read are not on their way for ever', async () => {
    const page = await stage().open('/search');
    const keys = keysOf(page);
    const failing = { status: 500, json: { detail: 'No.', code: 'internal_error' } };
    await page.route(/\/vulnerabilities\?.*page=2/, (route) => route.fulfill(failing));
    await page.goto('/findings');
    await rows(page).first().waitFor();
    await keys.reach(page.getByRole('grid'));
    await keys.press('End');
    await page.getByRole('alert').waitFor();
    await page.unroute(/\/vulnerabilities\?.*page=2/);
    await keys.activate(page.getByRole('button', { name: 'Try again' }));
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await page.route(/\/groups\?/, (route) => route.fulfill(failing));
    await page.goto('/projects');
    await page.getByRole('cell', { name: '–' }).first().waitFor();
    await page.getByRole('cell', { name: '…' }).first().waitFor({ state: 'detached' });
  });

  test('an upload whose scan cannot be followed is not called refused', async () => {
    const { open, data } = stage();
    const page = await open(`/projects/${data.billing.slug}`);
    await page.route(/\/sboms\/[^/]+\?wait=/, (route) => route.abort());
    const buffer = npmDocument('followed', ['left-pad@1.3.0']);
    const chooser = page.waitForEvent('filechooser');
    await keysOf(page).activate(page.getByRole('button', { name: 'Choose a file' }));
    const file = { name: 'followed.json', mimeType: 'application/json', buffer };
    await (await chooser).setFiles(file);
    await page.getByText('followed.json is stored, but how its scan ends').waitFor();
    await page.getByRole('link', { name: 'Show it' }).waitFor();
  });

  test('a part of a view that could not be read is not left out, and what depends on it not claimed', async () => {
    const { open, data, running } = stage();
    const page = await open('/search');
    const fail = (pattern: RegExp) =>
      page.route(pattern, (route) =>
        route.fulfill({ status: 500, json: { detail: 'No.', code: 'internal_error' } }),
      );
    await fail(/\/dependencies\/graph\?per_page=1$/);
    const project_id = data.shop.id;
    const { items } = await running.client.vulnerabilities({ project_id });
    const finding = items.find(({ service_name }) => service_name === 'checkout');
    await page.goto(`/findings?finding=${finding?.id}`);
    const panel = page.getByRole('complementary');
    await panel.getByText('What depends on what could not be read').waitFor();
    await page.goto(`/sboms/${finding?.sbom_id}?tab=dependencies`);
    await page.getByText('which of these are direct is unknown').waitFor();
    await fail(/\/api\/v1\/services\?/);
    await page.goto(`/projects/${data.shop.slug}/services/${finding?.service_id}`);
    await page.getByRole('alert').waitFor();
    await fail(/\/groups\?group_by=vulnerability/);
    await page.route(/\/vulnerabilities\?.*count=false.*per_page=100/, async (route) => {
      const body = (await (await route.fetch()).json()) as { items: object[] };
      await route.fulfill({ json: { ...body, items: body.items.slice(0, 2), has_more: true } });
    });
    await page.goto('/');
    await page.getByRole('main').getByRole('alert').waitFor();
  });

  test('what somebody may do is not hidden without a reason if it cannot be read', async () => {
    const { open } = stage();
    const page = await open('/search');
    let isBroken = true;
    await page.route('**/api/v1/me', (route) =>
      isBroken
        ? route.fulfill({ status: 500, json: { detail: 'No.', code: 'internal_error' } })
        : route.continue(),
    );
    await page.goto('/projects');
    const note = page.getByRole('status').filter({ hasText: 'What you may do could not be read' });
    await note.waitFor();
    isBroken = false;
    await note.getByRole('button', { name: 'Try again' }).click();
    await note.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'New project' }).waitFor();
  });

  test('the secret of a new key stays in sight if the list of keys cannot be read again', async () => {
    const page = await stage().open('/settings/keys');
    const keys = keysOf(page);
    await keys.activate(page.getByRole('button', { name: 'New key' }));
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Name'), 'seen once');
    await page.route('**/api/v1/api-keys?**', (route) => route.abort());
    await keys.activate(dialog.getByRole('button', { name: 'New key' }));
    await page.getByText('What is shown may be old.').waitFor();
    await dialog.getByText(/^bt_/).waitFor();
  });

  test('an empty list of which nobody can say what it is based on says so', async () => {
    const { open, data } = stage();
    const page = await open('/search');
    await page.route(/\/api\/v1\/services\?/, (route) =>
      route.fulfill({ status: 500, json: { detail: 'No.', code: 'internal_error' } }),
    );
    await page.goto(`/findings?project_id=${data.shop.id}&severity=none`);
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByText('What this is based on could not be read').waitFor();
  });
}
