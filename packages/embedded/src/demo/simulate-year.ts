import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiClient, sendForJson, waitForScan, type Target } from '@bomtrail/api-client';
import type { DemoClock } from './demo-clock';
import { simulatedReleases } from './simulated-releases';

const dayMs = 86_400_000;
const scanMs = 60_000;

/** Days of history, a little less than the time that the audit log is kept. */
export const simulatedDays = 360;

interface Simulation {
  target: Target;
  clock: DemoClock;
  /** Folder of the example SBOMs. */
  examples: string;
  say: (line: string) => void;
}

/**
 * Uploads the releases of a year over the public API, with the services' clock set back to the day
 * of each. Ends with the real time.
 */
export async function simulateYear({ target, clock, examples, say }: Simulation): Promise<void> {
  const client = createApiClient(target);
  const releases = simulatedReleases(await services(examples));
  say(`Simulating a year: ${releases.length} releases of four services …`);
  const project = await client.createProject({ name: 'Example fleet' });
  await sendForJson(target, {
    method: 'PATCH',
    path: `/api/v1/projects/${project.id}`,
    body: { service_levels: { critical: 14, high: 45, medium: 120 } },
  });
  for (const { serviceName, version, daysAgo, document } of releases) {
    await clock.set(daysAgo * dayMs);
    const { id } = await client.upload({
      project_id: project.id,
      service_name: serviceName,
      version,
      commit: commitOf(`${serviceName} ${version}`),
      build_url: `https://ci.example.org/${serviceName}/${version}`,
      file: document,
    });
    await waitForScan(client, id, scanMs);
  }
  await clock.set(0);
}

async function services(examples: string) {
  const read = (name: string) => readFile(join(examples, name), 'utf8');
  const shop = {
    from: await read('web-shop-1.0.0.cdx.json'),
    to: await read('web-shop-1.1.0.cdx.json'),
  };
  const orders = {
    from: await read('order-service-1.0.0.cdx.json'),
    to: await read('order-service-1.1.0.cdx.json'),
  };
  const days = { firstDaysAgo: simulatedDays, lastDaysAgo: 3 };
  return [
    { serviceName: 'storefront', ...shop, ...days, releases: 10 },
    { serviceName: 'order-service', ...orders, ...days, releases: 9 },
    { serviceName: 'newsletter', ...shop, firstDaysAgo: 200, lastDaysAgo: 90, releases: 4 },
    { serviceName: 'warehouse', ...orders, firstDaysAgo: 280, lastDaysAgo: 40, releases: 5 },
  ];
}

/** Looks like a revision; the same for the same text. */
function commitOf(text: string): string {
  let hash = 0;
  for (const sign of text) hash = (hash * 31 + sign.charCodeAt(0)) >>> 0;
  return hash.toString(16).padStart(8, '0').repeat(5);
}
