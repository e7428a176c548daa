/// <reference types="jest" />
import { send, waitForScan } from '@bomtrail/api-client';
import { npmDocument } from '../examples';
import { exploited } from './page-addresses';
import { vexAbout } from './page-data';
import { holdsFocus, keysOf } from './keys';
import { heading, holdBack, rows } from './parts-of-views';
import type { PageStage } from './page-stage';

/** Tests of standing rules and VEX documents on the page, with the stack of the other ones. */
export function decisionTests(stage: () => PageStage): void {
  test('a filter becomes a standing rule, after a preview, which is changed and ended', async () => {
    const { open, data } = stage();
    const page = await open(`/findings?project_id=${data.billing.id}&kev=true`);
    const keys = keysOf(page);
    await keys.activate(page.getByRole('button', { name: 'Standing rule' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^A rule cannot have whether it is exploited/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Create the rule' }).isDisabled()).toBe(true);
    await keys.press('Escape');
    await keys.reach(page.getByRole('button', { name: 'Standing rule' }));
    await page.goto(`/findings?project_id=${data.billing.id}&package_name=parse-core-0`);
    await heading(page, /^[1-9]\d* findings?$/);
    await keys.activate(page.getByRole('button', { name: 'Standing rule' }));
    await dialog.getByText('Selects, now and later: parse-core-0').waitFor();
    const preview = await dialog.getByText(/^Would decide [1-9]\d* findings? now$/).innerText();
    await dialog.getByRole('listitem').filter({ hasText: exploited }).waitFor();
    await keys.press('Escape');
    const failing = { status: 500, json: { detail: 'No.', code: 'internal_error' } };
    await page.route(/\/vulnerabilities\?.*decision=none/, (route) => route.fulfill(failing));
    await page.reload();
    await keys.activate(page.getByRole('button', { name: 'Standing rule' }));
    await dialog.getByRole('alert').waitFor();
    await page.unroute(/\/vulnerabilities\?.*decision=none/);
    await keys.activate(dialog.getByRole('button', { name: 'Try again' }));
    await dialog.getByText(preview, { exact: true }).waitFor();
    await keys.write(dialog.getByLabel('Name'), 'Parsers');
    await keys.write(dialog.getByLabel('Reason'), 'Input is ours.');
    await keys.choose(dialog.getByLabel('Because'), 'inline_mitigations_already_exist');
    await keys.write(dialog.getByLabel('Until'), '01012020');
    await keys.activate(dialog.getByRole('button', { name: 'Create the rule' }));
    await dialog.locator('[aria-invalid=true]').waitFor();
    await keys.write(dialog.getByLabel('Until'), '01012099');
    await keys.activate(dialog.getByRole('button', { name: 'Create the rule' }));
    const [, count] = /(\d+) findings?/.exec(preview) ?? [];
    await page.getByText(new RegExp(`^Parsers decides ${count} findings?\\.$`)).waitFor();
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.goto(`/projects/${data.billing.slug}`);
    const rule = page.getByRole('row').filter({ hasText: 'Parsers' });
    await keys.activate(rule.getByRole('button', { name: 'Change the rule Parsers' }));
    await keys.write(dialog.getByLabel('Name'), 'Own parsers');
    await keys.choose(dialog.getByLabel('Decision'), 'risk_accepted');
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await keys.activate(page.getByRole('button', { name: 'End the rule Own parsers' }));
    await rule.waitFor({ state: 'detached' });
    await holdsFocus(page);
  });

  test('a decision about a finding of no service says that it is for the whole project', async () => {
    const { open, running } = stage();
    const { id: project_id } = await running.client.createProject({ name: 'Without services' });
    const { metadata: _, ...unnamed } = JSON.parse(
      npmDocument('', ['parse-core-0@1.0.2']).toString(),
    ) as Record<string, unknown>;
    const file = Buffer.from(JSON.stringify(unnamed));
    const { id } = await running.client.upload({ project_id, file });
    await waitForScan(running.client, id, 60_000);
    const page = await open(`/findings?project_id=${project_id}`);
    const keys = keysOf(page);
    await rows(page).first().waitFor();
    await keys.press('j', 'd');
    const dialog = page.getByRole('dialog');
    const note = dialog.getByText('decided for the whole project');
    await note.waitFor();
    await keys.choose(dialog.getByLabel('For'), 'project');
    await note.waitFor({ state: 'detached' });
    await send(running.target, { method: 'DELETE', path: `/api/v1/projects/${project_id}` });
  });

  test('a VEX document is imported: what each statement decided or why not, and what contradicts it', async () => {
    const { open, data, running } = stage();
    const page = await open(`/projects/${data.billing.slug}`);
    const keys = keysOf(page);
    const take = async (buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await keys.activate(page.getByRole('button', { name: 'Import a VEX document' }).last());
      const file = { name: 'vex.json', mimeType: 'application/json', buffer };
      await (await chooser).setFiles(file);
    };
    const send = await holdBack(page, '**/api/v1/vex');
    await take(Buffer.from('{"vex":"none"}'));
    await page.getByRole('button', { name: 'Importing …' }).waitFor();
    await keys.press('Shift');
    expect(await page.locator(':focus').innerText()).toBe('Importing …');
    send();
    await page.getByRole('main').getByRole('alert').waitFor();
    await take(vexAbout(['parse-core-0', 'of-nobody']));
    await heading(page, 'https://example.com/billing');
    const vexId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const statements = page.getByRole('row').filter({ hasText: exploited });
    await statements.getByText('1 service', { exact: true }).waitFor();
    await statements.getByText('no SBOM has the product').waitFor();
    const rule = { name: 'Doubt', filter: { cve_id: exploited }, reason: 'Look again.' };
    const made = await running.client.createDecisionRule(data.billing.id, {
      ...rule,
      decision: 'false_positive',
    });
    await page.goto(
      `/findings?project_id=${data.billing.id}&cve_id=${exploited}&status=not_affected`,
    );
    await rows(page).getByText('Contradicted').waitFor();
    await keys.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Finding' });
    await panel.getByText('These decisions contradict each other.').waitFor();
    const decisions = panel.getByRole('article');
    expect(await decisions.first().innerText()).toMatch(/Counts[^]*by the document/);
    expect(await decisions.nth(1).innerText()).toContain('by the standing rule Doubt');
    await running.client.deleteDecisionRule(made.id);
    await page.reload();
    await panel.getByText('by the document').waitFor();
    expect(await panel.getByText('These decisions contradict').count()).toBe(0);
    await running.client.deleteVex(vexId);
  });
}
