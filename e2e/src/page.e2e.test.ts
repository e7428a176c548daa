import type { Browser } from 'playwright-core';
import { npmDocument } from './support/examples';
import { visit } from './support/page/browser';
import { exploited } from './support/page/page-addresses';
import { decisionTests } from './support/page/decision-tests';
import { letterTests } from './support/page/letter-tests';
import { ownerTests } from './support/page/owner-tests';
import { treeTests } from './support/page/tree-tests';
import type { PageData } from './support/page/page-data';
import { startPageStage, type PageStage } from './support/page/page-stage';
import { fileOf, heading, rows } from './support/page/parts-of-views';
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
    await page.goto('/findings');
    await page.getByLabel('API key').fill('bt_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'not valid' }).waitFor();
    await page.getByLabel('API key').fill(apiKey);
    await page.keyboard.press('Enter');
    await heading(page, /findings/);
    expect(page.url()).toBe(`${baseUrl}/findings`);
    expect(await context.cookies()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('bomtrail.key')`)).toBeNull();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a key that may only read is offered nothing else', async () => {
    const { key } = await running.client.createKey({ name: 'reader', scopes: ['read'] });
    const page = await open('/settings/keys', { apiKey: key });
    await page.getByText('This key may not see that').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.goto('/findings');
    await rows(page).first().click();
    await page.getByRole('complementary').getByText('Timeline').waitFor();
    expect(await page.getByRole('button', { name: /^Decide/ }).count()).toBe(0);
    await page.goto('/projects');
    await heading(page, /projects/);
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
  });
});

describe('triage', () => {
  test('the overview says what to do first, and each number leads to its findings', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: '3 known exploited' }).click();
    await heading(page, '3 findings');
    await rows(page).first().waitFor();
    expect(await rows(page).first().innerText()).toContain('Exploited');
    expect(page.url()).toContain('kev=true');
    await page.goto('/');
    await page.getByRole('link', { name: /^[1-9]\d* new this week$/ }).click();
    await rows(page).first().waitFor();
    expect(page.url()).toMatch(/detected_since=\d{4}-\d\d-\d\d&sort=first_seen_at/);
    await page.getByRole('button', { name: /^Take away the filter: New since / }).click();
    await page.waitForURL((url) => !url.search.includes('detected_since'));
  });

  test('a view is an address: filters and the open panel survive a reload and the way back', async () => {
    const page = await open('/findings');
    await page.getByRole('button', { name: /^Critical/ }).click();
    await page.waitForURL(/severity=critical/);
    await rows(page).first().click();
    await page.getByRole('complementary', { name: 'Finding' }).waitFor();
    await page.reload();
    await page.getByRole('complementary').getByText('Timeline').waitFor();
    expect(await page.getByRole('button', { name: /^Critical/ }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.goBack();
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  test('by keyboard alone: search, move, open, select two, accept them, undo', async () => {
    const page = await open('/findings');
    await rows(page).first().waitFor();
    const before = await page.locator('h1').innerText();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByText(exploited).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('d');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Behind the firewall');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Accept 2' }).press('Enter');
    await page.getByText('2 findings decided.').waitFor();
    await page.locator('h1', { hasNotText: before }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone: open again.').waitFor();
    await page.locator('h1', { hasText: before }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('CVE-1999-0001');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByText('CVE-1999-0001 is unknown here').waitFor();
    await page.getByRole('link', { name: 'State of the feeds' }).waitFor();
  });

  test('findings are grouped, a group opens, all of it is accepted and open again; the report has all rows', async () => {
    const page = await open('/findings');
    await page.getByRole('combobox', { name: 'Group' }).selectOption('vulnerability');
    await heading(page, /vulnerabilities/);
    const group = page.getByRole('row').filter({ hasText: exploited }).first();
    await group.click();
    expect(await group.getAttribute('aria-expanded')).toBe('true');
    await rows(page).nth(1).waitFor();
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Not reachable');
    await page.getByLabel('Decision').selectOption('not_affected');
    await page.getByLabel('Because').selectOption('vulnerable_code_not_in_execute_path');
    await page.getByRole('button', { name: '2 not affected' }).click();
    await page.getByText('2 findings decided.').waitFor();
    await page.getByRole('row').filter({ hasText: exploited }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: open again.').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Fix', { exact: true }).selectOption('false');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Take away the filter: No fix known' }).waitFor();
    await page.getByRole('link', { name: 'Report' }).click();
    await page.getByRole('button', { name: 'Print' }).waitFor();
    await page.getByRole('columnheader', { name: 'EPSS' }).waitFor();
    const [, count] = /^(\d+) findings/.exec(await page.locator('h1').innerText()) ?? [];
    expect(await page.locator('tbody tr').count()).toBe(Number(count));
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
  });

  test('only rows on the screen exist, and the last one is reached', async () => {
    const page = await open('/findings');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    await page.evaluate(`document.querySelector('[role=grid]').scrollTo(0, 1e9)`);
    await page.locator('#finding-109').waitFor();
  });
});

describe('decisions that travel', () => decisionTests(() => ({ open, data, running })));
describe('owners', () => ownerTests(() => ({ open, data })));
describe('operation', () => letterTests(() => ({ open, running })));
describe('what depends on what', () => treeTests(() => ({ open, data })));

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
    await page.getByRole('searchbox').fill(asked);
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
    await line.getByRole('link', { name: exploited }).click();
    await page.getByRole('complementary').getByText('Timeline').waitFor();
  });
});

describe('projects', () => {
  test('a project is created, an SBOM uploaded, scanned and shown; a broken one is refused', async () => {
    const page = await open('/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Web Shop');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/already/)
      .waitFor();
    await page.getByLabel('Name', { exact: true }).fill('From the page');
    await page.keyboard.press('Enter');
    await heading(page, 'From the page');
    const choose = fileOf(page, /^Upload/);
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer });
    await choose.setInputFiles(file('broken.json', Buffer.from('{"bomFormat":"Other"}')));
    await page.getByRole('alert').waitFor();
    await choose.setInputFiles(file('shop.json', npmDocument('shop', ['parse-core-0@1.0.2'])));
    await page.getByText('Scanned: 1 dependency, 1 open finding.').waitFor();
    await page.getByRole('link', { name: 'Show it' }).click();
    await page.getByText('1 of 1 components checked against advisories').waitFor();
    await page.getByRole('link', { name: exploited }).waitFor();
    await page.getByRole('tab', { name: 'Licences' }).click();
    await page.getByRole('heading', { name: 'Unknown 1' }).waitFor();
    await page.getByRole('tab', { name: /^Quality \d+/ }).click();
    await page.getByText(/^\d of \d components? states? no supplier/).waitFor();
  });

  test('the versions of a service say what they changed, and two are compared', async () => {
    const page = await open(`/projects/${data.shop.slug}`);
    await page.getByRole('link', { name: 'https://example.com/vex' }).click();
    await page.getByText('no SBOM has the product').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'checkout' }).click();
    await page
      .getByText(/^− \d+ fixed/)
      .first()
      .waitFor();
    await page.getByText('+ 1 opened again').waitFor();
    await page.getByText('Gate fails').waitFor();
    expect(await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()).toBe(
      3,
    );
    await page.getByLabel('From').selectOption({ label: '1.0.0' });
    await page.getByRole('button', { name: 'Compare' }).click();
    await heading(page, /packages/);
    await page.getByRole('heading', { name: /new finding/ }).waitFor();
  });

  test('a document says how a dependency comes in, also beside its finding', async () => {
    const page = await open(`/projects/${data.shop.slug}`);
    await page
      .getByRole('row')
      .filter({ hasText: 'image-proxy' })
      .getByRole('link', { name: '0.9.0' })
      .first()
      .click();
    await page.getByRole('tab', { name: /Dependencies/ }).click();
    await page.getByRole('button', { name: 'Why is it here?' }).first().click();
    await page.getByRole('heading', { name: /^How .* comes in$/ }).waitFor();
    await page.getByText('this software').waitFor();
    const disclosure = page.waitForEvent('download');
    await page.getByRole('button', { name: 'With vulnerabilities (CycloneDX)' }).click();
    expect((await disclosure).suggestedFilename()).toMatch(/\.json$/);
    await page.getByRole('button', { name: 'Decisions as VEX' }).press('Enter');
    const formats = page.getByRole('dialog', { name: 'Decisions as VEX' }).getByRole('button');
    expect(await formats.allInnerTexts()).toEqual(['OpenVEX', 'CycloneDX', 'CSAF']);
    await page.keyboard.press('Escape');
    await page.goto('/findings?is_direct=false');
    await rows(page).first().click();
    await page.getByRole('complementary').getByText('this software').waitFor();
  });

  test('a file dropped anywhere is uploaded to the project that is chosen', async () => {
    const page = await open('/findings');
    await heading(page, /findings/);
    const contents = npmDocument('dropped', ['parse-core-0@1.0.2']).toString();
    const files = await page.evaluateHandle(
      `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(contents)}], 'dropped.json')); return all; })()`,
    );
    await page.dispatchEvent('body', 'drop', { dataTransfer: files });
    const dialog = page.getByRole('dialog', { name: 'Upload dropped.json' });
    await dialog.getByLabel('Project').selectOption({ label: 'Billing' });
    await dialog.getByLabel('Service').fill('S'.repeat(256));
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Service').fill('dropped');
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await dialog.getByText('Scanned: 1 dependency, 1 open finding.').waitFor();
  });

  test('service levels, retention and alert rules are changed; a rule is tested and deleted', async () => {
    const page = await open('/settings/retention');
    await page.getByRole('button', { name: 'Change Billing' }).click();
    await page.getByLabel('Critical').fill('7');
    await page.getByLabel('The last', { exact: true }).fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('critical 7 d').waitFor();
    await page.goto('/alerts');
    await page.getByRole('button', { name: 'New rule' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Project').selectOption({ label: 'Billing' });
    await form.getByLabel('By', { exact: true }).selectOption('slack');
    await form.getByLabel('Webhook').fill('https://10.0.0.1/hook');
    await form.getByRole('button', { name: 'New rule' }).click();
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('Webhook').fill('');
    await form.getByRole('button', { name: 'New rule' }).click();
    await heading(page, '1 alert rule');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await form.getByLabel('Tells of findings of').selectOption({ label: 'No severity alone' });
    await form.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
    await form.getByLabel('Also what is known to be exploited').check();
    await form.getByLabel('EPSS').selectOption('0.1');
    await form.getByText('Other reasons need the receiver again.').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Exploited, EPSS ≥ 10 %, by Slack').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^The test failed: /).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, '0 alert rules');
  });
});

describe('when something is wrong', () => {
  test('no connection, a rejection and the end of a key are told apart, and a slow answer has its place', async () => {
    const page = await open('/plan');
    await heading(page, /Upgrades close|Nothing/);
    await page.route('**/api/v1/alert-rules?**', (route) => route.abort());
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('main').locator('[aria-hidden=true]').first().waitFor();
    await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
    await page.unroute('**/api/v1/alert-rules?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No alert rules').waitFor();
    const rejection = { detail: 'This call needs more.', code: 'insufficient_scope' };
    await page.route('**/api/v1/projects?**', (route) =>
      route.fulfill({ status: 403, json: rejection }),
    );
    await page.goto('/projects');
    await page.getByRole('alert').filter({ hasText: 'This key may not do that' }).waitFor();
    await page.route('**/api/v1/vulnerabilities?**', (route) =>
      route.fulfill({ status: 401, json: { detail: 'No.', code: 'invalid_api_key' } }),
    );
    await page.getByRole('link', { name: 'Findings' }).click();
    await page.getByText('The session has ended').waitFor();
  });
});
