/// <reference types="jest" />
import { waitForScan } from '@bomtrail/api-client';
import { npmDocument } from '../examples';
import { heading } from './parts-of-views';
import type { PageStage } from './page-stage';

const scanMs = 60_000;

/** Tests of what a failing gate waits for, with the stack of the other ones. */
export function gateTests(stage: () => PageStage): void {
  test('the upgrades that a failing gate waits for make it pass, and nothing more is needed', async () => {
    const { open, running } = stage();
    const { client } = running;
    const project = await client.createProject({ name: 'Gated' });
    const upload = async (version: string, packages: readonly string[]) => {
      const service_name = 'desk';
      const file = npmDocument(`desk ${version}`, packages);
      const { id } = await client.upload({ project_id: project.id, service_name, version, file });
      await waitForScan(client, id, scanMs);
    };
    // Of these one has only a vulnerability of low severity.
    const used = ['parse-core-0', 'http-kit-1', 'image-core-4', 'parse-stream-6'];
    await upload('1', [...used.map((name) => `${name}@1.0.2`), 'yaml-stream-2@2.0.0']);
    const [service] = await client.listServices(project.id);
    const page = await open(`/projects/${project.slug}/services/${service?.id}`);
    await page.getByText('Gate fails').waitFor();
    const table = page.getByRole('region', { name: 'Upgrades that the gate waits for' });
    await table.waitFor();
    await page.getByText(/^It passes after \d upgrades? of the plan\.$/).waitFor();
    const cells = table.locator('tbody td:nth-child(-n + 2)');
    const texts = await cells.allInnerTexts();
    const upgraded = new Map<string, string>();
    for (let at = 0; at < texts.length; at += 2) {
      upgraded.set(texts[at] ?? '', texts[at + 1]?.split(' → ').at(-1) ?? '');
    }
    expect(upgraded.size).toBeGreaterThan(0);
    expect(upgraded.size).toBeLessThan(used.length);
    const after = used.map((name) => `${name}@${upgraded.get(name) ?? '1.0.2'}`);
    await upload('2', after);
    await page.reload();
    await heading(page, 'desk');
    await page.getByText('Gate passes').waitFor();
    expect(await table.count()).toBe(0);
    // Without any one of them it fails.
    const [first] = upgraded.keys();
    await upload(
      '3',
      after.map((one) => (one.startsWith(`${first}@`) ? `${first}@1.0.2` : one)),
    );
    await page.reload();
    await page.getByText('It passes after 1 upgrade of the plan.').waitFor();
    expect(await table.locator('tbody td').first().innerText()).toBe(first);
  });
}
