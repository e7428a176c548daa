/// <reference types="jest" />
import { ApiError, sendForJson, waitForScan, type ApiClient } from '@bomtrail/api-client';
import { SERVICE_NAMES } from '@bomtrail/embedded';
import { eventually } from '@bomtrail/testkit';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const uploads = 50;
const recoveryMs = 120_000;
const victims = [...SERVICE_NAMES, 'nats-server', 'mongod'];

/** Uploads as a CI job does: what fails without an answer, or with 5xx, is sent again. */
async function uploadUntilAccepted(
  client: ApiClient,
  upload: Parameters<ApiClient['upload']>[0],
): Promise<string> {
  return eventually(
    async () => {
      try {
        return (await client.upload(upload)).id;
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) {
          throw new Error(`refused for good: ${error.message}`);
        }
        throw error;
      }
    },
    { within: recoveryMs, what: `the upload ${upload.service_name} is accepted` },
  );
}

/** Tests of processes that are killed: the last ones of a stack. */
export function killTests(stack: () => TestStack): void {
  let running: TestStack;

  beforeAll(() => {
    running = stack();
  });

  test('each of the eight processes is killed once during 50 uploads, and every accepted SBOM is scanned and listed exactly once', async () => {
    const { client, stack } = running;
    const project = await client.createProject({ name: 'Killed' });
    const file = (n: number): Buffer =>
      npmDocument(`svc-${n}`, ['lodash@4.17.15', `only-here@1.0.${n}`]);
    const accepted = new Map<string, string>();

    for (let n = 0; n < uploads; n++) {
      const service_name = `svc-${n}`;
      const sent = uploadUntilAccepted(client, {
        project_id: project.id,
        version: '1',
        service_name,
        file: file(n),
      });
      const victim = n % 6 === 3 ? victims[Math.floor(n / 6)] : undefined;
      if (victim) stack.kill(victim, 'SIGKILL');
      accepted.set(service_name, await sent);
    }
    expect(victims.length).toBe(Math.floor((uploads - 1 - 3) / 6) + 1);

    for (const id of accepted.values()) {
      await eventually(() => waitForScan(client, id, 1_000), {
        within: recoveryMs,
        what: `SBOM ${id} is scanned`,
      });
    }
    const history = await client.history(project.id);
    expect(history.items.map(({ id }) => id).sort()).toEqual([...accepted.values()].sort());
    const active = await client.allActive({ project_id: project.id });
    const services = new Set(active.map(({ service_name }) => service_name));
    expect(services.size).toBe(uploads);
    const keys = active.map((row) => `${row.service_name} ${row.cve_id} ${row.package_name}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length % uploads).toBe(0);
  }, 400_000);

  test('one bulk decision about many findings is one audit entry, also if the reconciler is killed half-way and goes on', async () => {
    const { client, stack, target } = running;
    const { items } = await client.projectsBySlug('killed');
    const project_id = items[0]?.id ?? '';
    const open = async (): Promise<number> =>
      (await client.listActive({ project_id, per_page: 1 })).total;
    const before = await open();
    expect(before).toBeGreaterThanOrEqual(uploads);
    const body = { project_id, filter: {}, reason: 'Accepted for the demonstration.' };
    const path = '/api/v1/vulnerabilities/acceptances';
    // The caller may be told of the kill: the call goes on all the same.
    const call = sendForJson(target, { method: 'POST', path: `${path}/bulk`, body }).catch(
      () => undefined,
    );
    const decisions = async (): Promise<number> =>
      (await sendForJson<{ total: number }>(target, { path, query: { project_id } })).total;
    await eventually(async () => (await decisions()) > 0, { what: 'some decisions are stored' });
    stack.kill('reconciler', 'SIGKILL');
    await call;
    await eventually(async () => expect(await open()).toBe(0), {
      within: recoveryMs,
      what: 'every finding is decided',
    });
    expect(await decisions()).toBe(before);
    const audit = await sendForJson<{ items: { operation: string }[] }>(target, {
      path: '/api/v1/audit',
      query: { project_id, per_page: 200 },
    });
    const operations = audit.items.map(({ operation }) => operation);
    expect(operations.filter((one) => /bulk|acceptance|decision/i.test(one))).toEqual([
      'decideInBulk',
    ]);
  }, 400_000);
}
