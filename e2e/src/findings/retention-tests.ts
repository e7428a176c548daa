/// <reference types="jest" />
import {
  createApiClient,
  sendForJson,
  waitForScan,
  type ApiClient,
  type Call,
} from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const scanMs = 30_000;
/** Five versions of an application; the starter set has advisories for each old package. */
const versions = [
  ['1.0.0', ['lodash@4.17.15', 'minimist@1.2.0', 'axios@0.21.0']],
  ['1.1.0', ['lodash@4.17.15', 'minimist@1.2.0', 'axios@1.18.1']],
  ['1.2.0', ['lodash@4.17.15', 'minimist@1.2.8']],
  ['1.3.0', ['lodash@4.17.21', 'minimist@1.2.0']],
  ['1.4.0', ['lodash@4.17.15', 'minimist@1.2.8']],
] as const;

/** Tests of what retention drops. */
export function retentionTests(stack: () => TestStack): void {
  let running: TestStack;
  let client: ApiClient;

  beforeAll(() => {
    running = stack();
    client = createApiClient({ ...running.target });
  });

  /** What the lists of all states say of a project. */
  async function historyOf(project_id: string) {
    const { items } = await client.vulnerabilities({
      project_id,
      status: 'open,fixed,accepted',
      per_page: 200,
      sort: 'cve_id',
    });
    return items.map(({ id, status, reopened, first_seen_at, detected_at, ...one }) => {
      const { introduced_in, fixed_in } = one;
      return { id, status, reopened, first_seen_at, detected_at, introduced_in, fixed_in };
    });
  }

  const get = <Answer>(path: string, query: Call['query'] = {}) =>
    sendForJson<Answer>(running.target, { method: 'GET', path: `/api/v1${path}`, query });

  test('retention drops documents and findings of old versions, and nothing of the history', async () => {
    const { id: project_id } = await client.createProject({ name: 'Retention' });
    const ids: string[] = [];
    for (const [version, packages] of versions) {
      const file = npmDocument(`app-${version}`, [...packages]);
      const { id } = await client.upload({ project_id, service_name: 'app', version, file });
      await waitForScan(client, id, scanMs);
      ids.push(id);
    }
    const before = await historyOf(project_id);
    const fixed = before.filter(({ status }) => status === 'fixed');
    expect(fixed.length).toBeGreaterThanOrEqual(3);
    expect(before.every(({ detected_at }) => detected_at !== null)).toBe(true);

    await sendForJson(running.target, {
      method: 'PATCH',
      path: `/api/v1/projects/${project_id}`,
      body: { retention: { keep_last: 1 } },
    });
    const [first = '', second = '', , , last = ''] = ids;
    const retained = async (id: string) => (await client.sbom(id)).retained;
    await eventually(async () => (await retained(ids[3] ?? '')) === false, {
      what: 'the versions before the last one are expired',
    });
    expect(await historyOf(project_id)).toEqual(before);

    const record = { id: first, version: '1.0.0', retained: false, dependency_count: 3 };
    const nothing = { dependencies: [], vulnerabilities: [] };
    expect(await client.sbom(first)).toMatchObject({
      ...record,
      ...nothing,
      scan_status: 'scanned',
    });
    expect(await client.sbom(last)).toMatchObject({ retained: true, dependency_count: 2 });
    for (const path of ['download', `diff/${last}`, 'verdict']) {
      const answer = get(`/sboms/${first}/${path}`);
      await expect(answer).rejects.toMatchObject({ status: 404, code: 'document_expired' });
    }
    expect(await get(`/sboms/${first}/coverage`)).toMatchObject({ items: [], coverage: null });
    const verdict = await get<{ counts: object }>(`/sboms/${last}/verdict`, {
      only_new: 'true',
      baseline: '1.2.0',
    });
    expect(verdict).toMatchObject({ new_counts: { critical: 0, high: 0, medium: 0, low: 0 } });

    // A delete still rewinds: what the first version introduced came with the second one.
    await sendForJson(running.target, { method: 'DELETE', path: `/api/v1/sboms/${first}` });
    const introduced = (await historyOf(project_id)).map(
      ({ introduced_in }) => introduced_in.sbom_id,
    );
    expect(introduced).toContain(second);
    expect(introduced).not.toContain(first);
  });
}
