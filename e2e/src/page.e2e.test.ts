import type { Browser } from 'playwright-core';
import { npmDocument } from './support/examples';
import { visit } from './support/page/browser';
import { holdsFocus, keysOf } from './support/page/keys';
import { exploited } from './support/page/page-addresses';
import { alertRuleTests } from './support/page/alert-rule-tests';
import { addressTests } from './support/page/address-tests';
import { decisionReportTests } from './support/page/decision-report-tests';
import { decisionTests } from './support/page/decision-tests';
import { faultTests } from './support/page/fault-tests';
import { gateTests } from './support/page/gate-tests';
import { identityTests } from './support/page/identity-tests';
import { letterTests } from './support/page/letter-tests';
import { ownerTests } from './support/page/owner-tests';
import { selectionTests } from './support/page/selection-tests';
import { staleTests } from './support/page/stale-tests';
import { treeTests } from './support/page/tree-tests';
import { uploadTests } from './support/page/upload-tests';
import { unknownTests } from './support/page/unknown-tests';
import type { PageData } from './support/page/page-data';
import { startPageStage, type PageStage } from './support/page/page-stage';
import { heading, rows } from './support/page/parts-of-views';
import type { TestStack } from './support/test-stack';

let stage: PageStage;
let running: TestStack;
let browser: Browser;
let data: PageData;

beforeAll(async () => {
  stage = await startPageStage();
  ({ running, browser, data } = stage);
});
afterEach(() => stage.closeTabs());
afterAll(() => stage?.stop());

const open: PageStage['open'] = (...asked) => stage.open(...asked);

describe('signing in', () => {
  test('a wrong key is refused, a right one opens the overview and stands in no address', async () => {
    const { baseUrl, apiKey } = running.target;
    const { page, context, faults } = await visit(browser, { baseUrl });
    const keys = keysOf(page);
    await page.goto('/findings');
    await keys.write(page.getByLabel('API key'), 'bt_wrong');
    await keys.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'not valid' }).waitFor();
    await keys.write(page.getByLabel('API key'), apiKey);
    await keys.press('Enter');
    await heading(page, /findings/);
    expect(page.url()).toBe(`${baseUrl}/findings`);
    expect(await context.cookies()).toEqual([]);
    await keys.activate(page.getByRole('button', { name: 'Sign out' }));
    await keys.reach(page.getByLabel('API key'));
    expect(await page.evaluate(`sessionStorage.getItem('bomtrail.key')`)).toBeNull();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a key that may only read is offered nothing else', async () => {
    const { key } = await running.client.createKey({ name: 'reader', scopes: ['read'] });
    const page = await open('/settings/keys', { apiKey: key });
    await page.getByText('You may not see that').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.goto('/findings');
    await rows(page).first().waitFor();
    await keysOf(page).press('Enter');
    await page.getByRole('complementary').getByText('Timeline').waitFor();
    expect(await page.getByRole('button', { name: /^Decide/ }).count()).toBe(0);
    await page.goto('/projects');
    await heading(page, /projects/);
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
  });

  test('a key of one project says so in the table of keys', async () => {
    const bound = { name: 'of billing', scopes: ['read' as const], project_id: data.billing.id };
    const { id } = await running.client.createKey(bound);
    const page = await open('/settings/keys');
    await page.getByRole('row', { name: /of billing .*Billing/ }).waitFor();
    await running.client.revokeKey(id);
  });
});

describe('triage', () => {
  test('the overview says what to do first, and each number leads to its findings', async () => {
    const page = await open('/');
    const keys = keysOf(page);
    const first = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Look at these first' }) })
      .getByRole('listitem');
    await first.filter({ hasText: exploited }).getByText('in 2 services').waitFor();
    const ids = (await first.locator('b:first-child').allInnerTexts()).filter((one) =>
      one.startsWith('CVE-'),
    );
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
    await keys.activate(page.getByRole('link', { name: '3 known exploited' }));
    await heading(page, '3 findings');
    await rows(page).first().waitFor();
    expect(await rows(page).first().innerText()).toContain('Exploited');
    expect(page.url()).toContain('kev=true');
    await page.goto('/');
    await keys.activate(page.getByRole('link', { name: /^[1-9]\d* new this week$/ }));
    await rows(page).first().waitFor();
    expect(page.url()).toMatch(/detected_since=\d{4}-\d\d-\d\d&sort=first_seen_at/);
    await keys.activate(page.getByRole('button', { name: /^Take away the filter: New since / }));
    await page.waitForURL((url) => !url.search.includes('detected_since'));
    await holdsFocus(page);
  });

  test('a view is an address: filters and the open panel survive a reload and the way back', async () => {
    const page = await open('/findings');
    const keys = keysOf(page);
    await keys.activate(page.getByRole('button', { name: /^Critical/ }));
    await page.waitForURL(/severity=critical/);
    await page.getByRole('button', { name: /^Critical/, pressed: true }).waitFor();
    await keys.reach(page.getByRole('grid'));
    await rows(page).first().waitFor();
    await keys.press('Enter');
    await page.getByRole('complementary', { name: 'Finding' }).waitFor();
    await page.reload();
    await page.getByRole('complementary').getByText('Timeline').waitFor();
    expect(await page.getByRole('button', { name: /^Critical/ }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.goBack();
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await holdsFocus(page);
  });

  test('search, move, open, select two, accept them, undo', async () => {
    const page = await open('/findings');
    const keys = keysOf(page);
    const grid = page.locator('[role=grid]:focus');
    await rows(page).first().waitFor();
    const before = await page.locator('h1').innerText();
    await keys.press('j');
    await grid.waitFor();
    await keys.press('Enter');
    const panel = page.getByRole('complementary');
    await panel.getByText(exploited).first().waitFor();
    await page.locator('aside:focus').waitFor();
    await keys.press('j', 'k');
    await panel.getByText(exploited).first().waitFor();
    await keys.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await grid.waitFor();
    await keys.press('x', 'ArrowDown', 'Space');
    await page.getByText('2 selected').waitFor();
    await keys.press('d');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Behind the firewall');
    await keys.activate(dialog.getByRole('button', { name: 'Accept 2' }));
    await page.getByText('2 findings decided.').waitFor();
    await grid.waitFor();
    await page.locator('h1', { hasNotText: before }).waitFor();
    await keys.activate(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone: open again.').waitFor();
    await holdsFocus(page);
    await page.locator('h1', { hasText: before }).waitFor();
    await keys.reach(page.getByRole('grid'));
    await keys.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await grid.waitFor();
    await keys.press('/');
    await page.keyboard.type('CVE-1999-0001');
    await keys.press('Enter');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByText('CVE-1999-0001 is unknown here').waitFor();
    await keys.reach(page.getByRole('link', { name: 'State of the feeds' }));
  });

  test('findings are grouped, a group opens, all of it is accepted and open again; the report has all rows', async () => {
    const page = await open('/findings');
    const keys = keysOf(page);
    await keys.choose(page.getByRole('combobox', { name: 'Group' }), 'vulnerability');
    await heading(page, /vulnerabilities/);
    const groups = page.getByRole('treegrid');
    const current = groups.locator('[role=row][class*=current]');
    const group = page.getByRole('row').filter({ hasText: exploited }).first();
    await keys.reach(groups);
    const place = Number(await group.getAttribute('aria-rowindex'));
    for (let line = 1; line < place; line += 1) await keys.press('ArrowDown');
    await current.and(group).waitFor();
    await keys.press('ArrowRight');
    expect(await group.getAttribute('aria-expanded')).toBe('true');
    await rows(page).nth(1).waitFor();
    await keys.press('Space');
    await page.getByText('2 selected').waitFor();
    await keys.press('d');
    const dialog = page.getByRole('dialog');
    await keys.write(dialog.getByLabel('Reason'), 'Not reachable');
    await keys.choose(dialog.getByLabel('Decision'), 'not_affected');
    await keys.choose(dialog.getByLabel('Because'), 'vulnerable_code_not_in_execute_path');
    await keys.activate(page.getByRole('button', { name: '2 not affected' }));
    await page.getByText('2 findings decided.').waitFor();
    await page.getByRole('row').filter({ hasText: exploited }).waitFor({ state: 'detached' });
    await groups.and(page.locator(':focus')).waitFor();
    await keys.press('u');
    await page.getByText('Undone: open again.').waitFor();
    await keys.activate(page.getByRole('button', { name: 'More filters' }));
    await keys.choose(page.getByLabel('Fix', { exact: true }), 'false');
    await keys.press('Escape');
    await page.getByRole('button', { name: 'Take away the filter: No fix known' }).waitFor();
    await keys.activate(page.getByRole('link', { name: 'Report' }));
    await page.getByRole('button', { name: 'Print' }).waitFor();
    await page.getByRole('columnheader', { name: 'EPSS' }).waitFor();
    const [, count] = /^(\d+) findings/.exec(await page.locator('h1').innerText()) ?? [];
    expect(await page.locator('tbody tr').count()).toBe(Number(count));
    const saving = page.waitForEvent('download');
    await keys.activate(page.getByRole('button', { name: 'Save as CSV' }));
    expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
  });

  test('only rows on the screen exist, and the last one is reached', async () => {
    const page = await open('/findings');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    const keys = keysOf(page);
    await keys.reach(page.getByRole('grid'));
    await keys.press('End');
    await page.locator('#finding-109[class*=current]').waitFor();
  });
});

describe('one after the other in a tab', () => identityTests(() => stage));
describe('what is selected', () => selectionTests(() => stage));
describe('decisions that travel', () => decisionTests(() => stage));
describe('audits', () => decisionReportTests(() => stage));
describe('gates', () => gateTests(() => stage));
describe('owners', () => ownerTests(() => stage));
describe('operation', () => letterTests(() => stage));
describe('what depends on what', () => treeTests(() => stage));

describe('am I affected?', () => {
  test.each([
    [exploited, /^Yes: 2 services have/],
    ['CVE-2026-10063', /is known, and open or accepted in no service|^Yes/],
    ['CVE-1999-0001', /is unknown here/],
    ['left-pad 1.3.0', /^1 service uses left-pad 1.3.0/],
    ['pkg:npm/nothing-at-all', /^Nobody uses/],
    ['license:unknown', /^\d+ services? ships? components whose licence is unknown/],
    ['license:AGPL-3.0-only', /^Nobody ships AGPL-3.0-only/],
  ])('%s is answered', async (asked, answer) => {
    const page = await open('/search');
    await keysOf(page).write(page.getByRole('searchbox'), asked);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: answer }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe(asked);
  });

  test('the answer names the version, marks exploitation and leads to the finding', async () => {
    const page = await open(`/search?q=${exploited}`);
    const line = page.getByRole('row').filter({ hasText: 'checkout' });
    await line.getByRole('link', { name: 'checkout 1.2.0' }).waitFor();
    await line.getByText('Exploited').waitFor();
    expect(await page.getByText(/^Also known as/).innerText()).not.toContain(exploited);
    await keysOf(page).activate(line.getByRole('link', { name: exploited }));
    await page.getByRole('complementary').getByText('Timeline').waitFor();
  });
});

describe('projects', () => {
  test('a project is created, an SBOM uploaded, scanned and shown; a broken one is refused', async () => {
    const page = await open('/projects');
    const keys = keysOf(page);
    await keys.activate(page.getByRole('button', { name: 'New project' }));
    await keys.write(page.getByLabel('Name', { exact: true }), 'Web Shop');
    await keys.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/already/)
      .waitFor();
    await keys.write(page.getByLabel('Name', { exact: true }), 'From the page');
    await keys.press('Enter');
    await heading(page, 'From the page');
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer });
    const upload = async (name: string, contents: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await keys.activate(page.getByRole('button', { name: 'Choose a file' }));
      await (await chooser).setFiles(file(name, contents));
    };
    await upload('broken.json', Buffer.from('{"bomFormat":"Other"}'));
    await page.getByRole('alert').waitFor();
    await upload('shop.json', npmDocument('shop', ['parse-core-0@1.0.2']));
    await page.getByText('Scanned: 1 dependency, 1 open finding.').waitFor();
    await keys.activate(page.getByRole('link', { name: 'Show it' }));
    await page.getByText('1 of 1 components checked against advisories').waitFor();
    await page.getByRole('link', { name: exploited }).waitFor();
    await keys.show(page.getByRole('tab', { name: 'Licences' }));
    await page.getByRole('heading', { name: 'Unknown 1' }).waitFor();
    await keys.show(page.getByRole('tab', { name: /^Quality \d+/ }));
    await page.getByText(/^\d of \d components? states? no supplier/).waitFor();
  });

  test('the versions of a service say what they changed, and two are compared', async () => {
    const page = await open(`/projects/${data.shop.slug}`);
    const keys = keysOf(page);
    await keys.activate(page.getByRole('link', { name: 'https://example.com/vex' }));
    await page.getByText('no SBOM has the product').first().waitFor();
    await page.goBack();
    await keys.activate(page.getByRole('link', { name: 'checkout' }));
    await page
      .getByText(/^− \d+ fixed/)
      .first()
      .waitFor();
    await page.getByText('+ 1 opened again').waitFor();
    await page.getByText('Gate fails').waitFor();
    expect(await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()).toBe(
      3,
    );
    await keys.choose(page.getByLabel('From'), '1.0.0');
    await keys.activate(page.getByRole('button', { name: 'Compare' }));
    await heading(page, /packages/);
    await page.getByRole('heading', { name: /new finding/ }).waitFor();
  });

  test('a document says how a dependency comes in, also beside its finding', async () => {
    const page = await open(`/projects/${data.shop.slug}`);
    const keys = keysOf(page);
    const proxy = page.getByRole('row').filter({ hasText: 'image-proxy' });
    await keys.activate(proxy.getByRole('link', { name: '0.9.0' }).first());
    await keys.show(page.getByRole('tab', { name: /Dependencies/ }));
    await keys.activate(page.getByRole('button', { name: 'Why is it here?' }).first());
    await page.getByRole('heading', { name: /^How .* comes in$/ }).waitFor();
    await page.getByText('this software').waitFor();
    const disclosure = page.waitForEvent('download');
    await keys.activate(page.getByRole('button', { name: 'With vulnerabilities (CycloneDX)' }));
    expect((await disclosure).suggestedFilename()).toMatch(/\.json$/);
    await keys.activate(page.getByRole('button', { name: 'Decisions as VEX' }));
    const formats = page.getByRole('dialog', { name: 'Decisions as VEX' }).getByRole('button');
    expect(await formats.allInnerTexts()).toEqual(['OpenVEX', 'CycloneDX', 'CSAF']);
    await keys.press('Escape');
    await keys.reach(page.getByRole('button', { name: 'Decisions as VEX' }));
    await page.goto('/findings?is_direct=false');
    await rows(page).first().waitFor();
    await keys.press('Enter');
    await page.getByRole('complementary').getByText('this software').waitFor();
  });

  test('service levels, retention and alert rules are changed; a rule is tested and deleted', async () => {
    const page = await open('/settings/retention');
    const keys = keysOf(page);
    await keys.activate(page.getByRole('button', { name: 'Change Billing' }));
    await keys.write(page.getByLabel('Critical'), '7');
    await keys.write(page.getByLabel('The last', { exact: true }), '20');
    await keys.activate(page.getByRole('button', { name: 'Save' }));
    await page.getByText('critical 7 d').waitFor();
    await keys.activate(page.getByRole('link', { name: 'Alerts' }));
    await keys.activate(page.getByRole('button', { name: 'New rule' }));
    const form = page.getByRole('dialog');
    await keys.choose(form.getByLabel('Project'), 'Billing');
    await keys.choose(form.getByLabel('By', { exact: true }), 'slack');
    await keys.write(form.getByLabel('Webhook'), 'https://10.0.0.1/hook');
    await keys.activate(form.getByRole('button', { name: 'New rule' }));
    await form.locator('[aria-invalid=true]').waitFor();
    await keys.write(form.getByLabel('Webhook'), '');
    await keys.activate(form.getByRole('button', { name: 'New rule' }));
    await heading(page, '1 alert rule');
    await keys.activate(page.getByRole('button', { name: 'Change', exact: true }));
    await keys.choose(form.getByLabel('Tells of findings of'), 'No severity alone');
    await form.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
    await keys.tick(form.getByLabel('Also what is known to be exploited'));
    await keys.choose(form.getByLabel('EPSS'), '0.1');
    await form.getByText('needs its receiver again').waitFor();
    await keys.activate(form.getByRole('button', { name: 'Save' }));
    await page.getByText('Exploited, EPSS ≥ 10 %, by Slack').waitFor();
    await keys.activate(page.getByRole('button', { name: 'Send a test' }));
    await page.getByText(/^The test failed: /).waitFor();
    await keys.activate(page.getByRole('button', { name: 'Delete' }));
    await keys.activate(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
    await heading(page, '0 alert rules');
    await holdsFocus(page);
  });
});

describe('a dropped document', () => uploadTests(() => stage));
describe('an alert rule', () => alertRuleTests(() => stage));
describe('when something is wrong', () => faultTests(() => stage));
describe('what is not known', () => unknownTests(() => stage));
describe('addresses', () => addressTests(() => stage));
describe('while a tab is open', () => staleTests(() => stage));
