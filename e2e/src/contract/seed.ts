import { sendForJson, waitForScan } from '@bomtrail/api-client';
import type { Stack } from '@bomtrail/embedded';
import { example } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const scanMs = 60_000;
const documents = [
  ['order-service', '1.0.0', 'order-service-1.0.0.cdx.json'],
  ['order-service', '1.1.0', 'order-service-1.1.0.cdx.json'],
  ['web-shop', '1.0.0', 'web-shop-1.0.0.cdx.json'],
  [undefined, '1.0.0', 'report-service-1.0.0.spdx.json'],
] as const;

/** A little of everything, so that what is asked for at random is sometimes there. */
export async function seed({ client, stack }: TestStack): Promise<void> {
  const project = await client.createProject({ name: 'Seeded' });
  for (const [service_name, version, file] of documents) {
    const upload = { project_id: project.id, version, file: example(file) };
    const { id } = await client.upload(service_name ? { ...upload, service_name } : upload);
    await waitForScan(client, id, scanMs);
  }
  const [row] = await client.allActive({ project_id: project.id });
  if (!row) throw new Error('The example SBOMs have no vulnerability.');
  const reason = 'Behind the firewall.';
  await client.accept({ project_id: project.id, vulnerability_id: row.id, reason });
  const body = { project_id: project.id, enabled: false };
  await sendForJson(stack, { method: 'POST', path: '/api/v1/alert-rules', body });
}

/** The `id` of the key that the stack was started with. */
export async function idOfKey(stack: Stack): Promise<string> {
  const path = '/api/v1/api-keys';
  const keys = await sendForJson<{ items: { id: string; prefix: string }[] }>(stack, { path });
  const own = keys.items.find(({ prefix }) => stack.apiKey.startsWith(`bt_${prefix}_`));
  if (!own) throw new Error('The key of the stack is not listed.');
  return own.id;
}
