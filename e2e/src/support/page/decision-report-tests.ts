/// <reference types="jest" />
import { readFile } from 'node:fs/promises';
import { keysOf } from './keys';
import { heading } from './parts-of-views';
import type { PageStage } from './page-stage';

/** Tests of the report of decisions, with the stack of the other ones. */
export function decisionReportTests(stage: () => PageStage): void {
  test('an auditor reads who decided what, why, until when and for what, on paper and as a file', async () => {
    const { open, data, running } = stage();
    const { client } = running;
    const [finding] = (await client.vulnerabilities({ project_id: data.billing.id })).items;
    if (!finding) throw new Error('There is nothing to decide about.');
    const { id } = await client.accept({
      project_id: data.billing.id,
      vulnerability_id: finding.id,
      service_id: finding.service_id,
      decision: 'not_affected',
      justification: 'vulnerable_code_not_present',
      reason: 'Left out of the build.',
      assignee: 'Kim',
      ticket_url: 'https://example.com/T-7',
      expires_at: '2099-03-01T12:00:00Z',
    });
    const page = await open(`/projects/${data.billing.slug}`);
    const keys = keysOf(page);
    await keys.activate(page.getByRole('link', { name: 'Decisions', exact: true }));
    await heading(page, '1 decision');
    const row = page.getByRole('region', { name: 'Decisions' }).locator('tbody tr');
    expect(await row.innerText()).toMatch(
      /Not affected[^]*Left out of the build\.[^]*example\.com\/T-7[^]*Key [^]*Kim[^]*1 Mar 2099[^]*invoices · Billing/,
    );
    await page.reload();
    await row.getByRole('link', { name: finding.cve_id }).waitFor();
    await page
      .getByRole('region', { name: 'Standing rules' })
      .getByText('Never shipped.')
      .waitFor();
    await page.getByRole('button', { name: 'Print' }).waitFor();
    const saving = page.waitForEvent('download');
    await keys.activate(page.getByRole('button', { name: 'Save as CSV' }));
    const csv = await readFile(await (await saving).path(), 'utf8');
    expect(csv).toContain('Left out of the build.');
    expect(csv).toMatch(/,service_names,updated_by,bulk_id\r\n/);
    await keys.choose(page.getByLabel('Decision', { exact: true }), 'Risk accepted');
    await page.getByText('No decisions', { exact: true }).waitFor();
    await keys.choose(page.getByLabel('Decision', { exact: true }), 'Any');
    await heading(page, '1 decision');
    await page.route('**/api/v1/me', async (route) => {
      const body = (await (await route.fetch()).json()) as { rights: { right: string }[] };
      const rights = body.rights.filter(({ right }) => right !== 'administer');
      await route.fulfill({ json: { ...body, rights } });
    });
    await page.reload();
    await page.getByText('Decisions for all projects are shown to administrators only').waitFor();
    await client.revokeAcceptance(id);
  });
}
