/// <reference types="jest" />
import { ApiError, send, waitForScan, type Project } from '@bomtrail/api-client';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const scanMs = 60_000;

/** Begins `count` pieces of work before any of them has ended. */
function atOnce<Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

/** Tests of calls that are made at once. */
export function concurrencyTests(stack: () => TestStack): void {
  let running: TestStack;
  let projects = 0;

  beforeAll(() => {
    running = stack();
  });

  const newProject = (): Promise<Project> =>
    running.client.createProject({ name: `Concurrency ${(projects += 1)}` });

  /** The status of a creation, and the project or the code. */
  async function tryToCreate(name: string): Promise<{ status: number; said: unknown }> {
    try {
      return { status: 201, said: await running.client.createProject({ name }) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, said: error.code };
    }
  }

  async function renameStatus(id: string, name: string): Promise<number> {
    const { baseUrl, apiKey } = running.stack;
    const path = `/api/v1/projects/${id}`;
    const response = await send({ baseUrl, apiKey }, { method: 'PATCH', path, body: { name } });
    await response.arrayBuffer();
    return response.status;
  }

  describe('projects that are created at once', () => {
    test('fifty of one name, differently spelt: one 201, forty-nine 409', async () => {
      const spellings = ['Café at once', 'CAFÉ AT ONCE', ' Cafe\u0301 at once '];
      const tries = await atOnce(50, (n) => tryToCreate(spellings[n % spellings.length] ?? ''));
      expect(tries.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = tries.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(49);
      expect(new Set(refused.map(({ said }) => said))).toEqual(new Set(['project_name_taken']));
    });

    test('fifty of different names that make one slug: fifty 201 with fifty slugs, numbered without a gap', async () => {
      const tries = await atOnce(50, (n) => tryToCreate(`Same slug${'!'.repeat(n)}`));
      expect(tries.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
      const slugs = tries.map(({ said }) => (said as Project).slug);
      expect(slugs.sort()).toEqual(
        Array.from({ length: 50 }, (_, n) => (n === 0 ? 'same-slug' : `same-slug-${n + 1}`)).sort(),
      );
    });
  });

  test('of two projects that are renamed to one name at once, one is', async () => {
    for (const name of ['Wanted', 'Wanted, too', 'Wanted as well']) {
      const both = await atOnce(2, newProject);
      const statuses = await Promise.all(both.map(({ id }) => renameStatus(id, name)));
      expect(statuses.sort()).toEqual([200, 409]);
    }
  });

  describe('uploads at once', () => {
    test('one hundred of the same, the first of their service: one SBOM in one service', async () => {
      const { id: project_id } = await newProject();
      const file = npmDocument('hundred the same', ['lodash@4.17.15']);
      const results = await atOnce(100, () =>
        running.client.upload({ project_id, service_name: 'new', version: '1', file }),
      );
      expect(new Set(results.map(({ id }) => id)).size).toBe(1);
      expect(await running.client.listServices(project_id)).toHaveLength(1);
      expect((await running.client.history(project_id)).total).toBe(1);
    });

    test('one hundred different ones, the first of their service: one hundred SBOMs in one service, all scanned', async () => {
      const { id: project_id } = await newProject();
      const results = await atOnce(100, (n) =>
        running.client.upload({
          project_id,
          service_name: 'new',
          version: `${n}`,
          file: npmDocument(`different ${n}`, [`lodash@4.17.${n % 20}`]),
        }),
      );
      expect(new Set(results.map(({ id }) => id)).size).toBe(100);
      const [service, ...others] = await running.client.listServices(project_id);
      expect([service?.name, others]).toEqual(['new', []]);
      const details = await atOnce(100, (n) =>
        waitForScan(running.client, results[n]?.id ?? '', scanMs),
      );
      expect(new Set(details.map(({ service_id }) => service_id))).toEqual(new Set([service?.id]));
      expect((await running.client.history(project_id)).total).toBe(100);
    });

    test('twenty of the same after another one: one new SBOM', async () => {
      const { id: project_id } = await newProject();
      const line = { project_id, service_name: 'old', version: '1' };
      const before = await running.client.upload({ ...line, file: npmDocument('before', []) });
      const file = npmDocument('twenty', []);
      const results = await atOnce(20, () => running.client.upload({ ...line, file }));
      const ids = new Set(results.map(({ id }) => id));
      expect(ids.size).toBe(1);
      expect(ids.has(before.id)).toBe(false);
      expect((await running.client.history(project_id)).total).toBe(2);
    });
  });
}
