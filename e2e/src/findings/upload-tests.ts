/// <reference types="jest" />
import { createHash } from 'node:crypto';
import type { ApiError } from '@bomtrail/api-client';
import { waitForScan, type SbomDetail } from '@bomtrail/api-client';
import { example, npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const scanMs = 30_000;

/** Tests of the way from an upload to findings. */
export function uploadTests(stack: () => TestStack): void {
  let running: TestStack;

  beforeAll(() => {
    running = stack();
  });

  async function upload(
    project_id: string,
    of: { file: Uint8Array; service_name: string; version: string },
  ): Promise<SbomDetail> {
    const { id } = await running.client.upload({ project_id, ...of });
    return waitForScan(running.client, id, scanMs);
  }

  const openIds = async (service_id: string | null | undefined): Promise<string[]> =>
    (await running.client.allActive({ service_id: service_id ?? '' })).map(({ id }) => id).sort();

  test('a vulnerable package is open, the version without it fixes it, and deleting that version re-opens it', async () => {
    const { client } = running;
    const project = await client.createProject({ name: 'Two versions' });
    const service_name = 'shop';
    const first = await upload(project.id, {
      service_name,
      version: '1',
      file: npmDocument('shop', ['lodash@4.17.15', 'minimist@0.0.8']),
    });
    const before = await openIds(first.service_id);
    expect(before.length).toBeGreaterThanOrEqual(2);

    const second = await upload(project.id, {
      service_name,
      version: '2',
      file: npmDocument('shop', ['lodash@4.17.15', 'minimist@1.2.8']),
    });
    const active = await client.allActive({ service_id: first.service_id ?? '' });
    expect(active.map(({ package_name }) => package_name)).not.toContain('minimist');
    const old = await client.sbom(first.id);
    expect(
      old.vulnerabilities
        .filter(({ package_name }) => package_name === 'minimist')
        .map(({ status }) => status),
    ).toEqual(['fixed']);

    await client.deleteSbom(second.id);
    expect(await openIds(first.service_id)).toEqual(before);
    await expect(client.sbom(second.id)).rejects.toMatchObject({
      status: 404,
      code: 'sbom_not_found',
    });
  });

  test('the diff tells what the other SBOM adds, removes and changes, whatever their projects', async () => {
    const { client } = running;
    const [here, there] = [
      await client.createProject({ name: 'Diff from' }),
      await client.createProject({ name: 'Diff to' }),
    ];
    const file = npmDocument('from', ['lodash@4.17.9', 'lodash@4.17.15', 'left-pad@1.3.0']);
    const from = await client.upload({ project_id: here.id, file });
    const to = await client.upload({
      project_id: there.id,
      file: npmDocument('to', ['lodash@4.17.10', 'lodash@4.17.15', 'lodash@4.17.21', 'qs@6.13.0']),
    });
    expect(await client.diff(from.id, to.id)).toEqual({
      added: [
        { name: 'lodash', version: '4.17.21' },
        { name: 'qs', version: '6.13.0' },
      ],
      removed: [{ name: 'left-pad', version: '1.3.0' }],
      changed: [{ name: 'lodash', from_version: '4.17.9', to_version: '4.17.10' }],
    });
    expect(await client.diff(to.id, to.id)).toEqual({ added: [], removed: [], changed: [] });
    await client.deleteSbom(to.id);
    await expect(client.diff(from.id, to.id)).rejects.toMatchObject({
      status: 404,
      code: 'sbom_not_found',
    });
  });

  test('detail, active list and summary tell of the same vulnerabilities for every example', async () => {
    const { client } = running;
    const project = await client.createProject({ name: 'Examples' });
    for (const [service_name, file] of [
      ['web-shop', 'web-shop-1.0.0.cdx.json'],
      ['report-service', 'report-service-1.0.0.spdx.json'],
      ['order-service', 'order-service-1.0.0.cdx.json'],
    ] as const) {
      const detail = await upload(project.id, { service_name, version: '1', file: example(file) });
      const listed = await openIds(detail.service_id);
      const summary = await client.summary({ service_id: detail.service_id ?? '' });
      expect(listed.length).toBeGreaterThan(3);
      expect([...new Set(detail.vulnerabilities.map(({ id }) => id))].sort()).toEqual(listed);
      expect(summary.total).toBe(listed.length);
      expect(detail.advisory_data).toBe('starter');
      const components = (detail.dependency_count ?? 0) + (detail.coverage?.roots ?? 0);
      expect(detail.coverage).toMatchObject({
        components,
        evaluated: 0,
        scope: 'none',
        undetermined: { starter_data: components },
      });
    }
    const whole = await client.summary({ project_id: project.id });
    expect(whole.total).toBe((await client.allActive({ project_id: project.id })).length);
  });

  test('a download gives exactly the bytes that were uploaded', async () => {
    const { client } = running;
    const project = await client.createProject({ name: 'Download' });
    const file = example('report-service-1.0.0.spdx.json');
    const { id, sha256 } = await client.upload({ project_id: project.id, file });
    expect(Buffer.compare(Buffer.from(await client.download(id)), file)).toBe(0);
    expect(sha256).toBe(createHash('sha256').update(file).digest('hex'));
  });

  test('a retried upload creates nothing, a roll-back makes the old document the latest again', async () => {
    const { client } = running;
    const project = await client.createProject({ name: 'Retries' });
    const [one, two] = [npmDocument('svc', ['lodash@4.17.15']), npmDocument('svc', [])];
    const first = await upload(project.id, { service_name: 'svc', version: '1', file: one });
    expect(
      (
        await client.upload({
          project_id: project.id,
          service_name: 'svc',
          version: '1',
          file: one,
        })
      ).id,
    ).toBe(first.id);
    await upload(project.id, { service_name: 'svc', version: '2', file: two });
    expect(await openIds(first.service_id)).toEqual([]);
    const back = await upload(project.id, { service_name: 'svc', version: '1', file: one });
    expect(back.id).not.toBe(first.id);
    expect(await openIds(first.service_id)).not.toEqual([]);
    expect((await client.history(project.id)).total).toBe(3);
  });

  test('an accepted vulnerability leaves the active list, stays away over versions, and comes back when the acceptance goes', async () => {
    const { client } = running;
    const project = await client.createProject({ name: 'Acceptance' });
    const detail = await upload(project.id, {
      service_name: 'svc',
      version: '1',
      file: npmDocument('svc', ['lodash@4.17.15']),
    });
    const [row] = await client.allActive({ project_id: project.id });
    const acceptance = await client.accept({
      project_id: project.id,
      vulnerability_id: row?.id ?? '',
      reason: 'Not reachable.',
    });
    expect(await openIds(detail.service_id)).not.toContain(row?.id);
    await upload(project.id, {
      service_name: 'svc',
      version: '2',
      file: npmDocument('svc', ['lodash@4.17.16']),
    });
    expect(await openIds(detail.service_id)).not.toContain(row?.id);
    await client.revokeAcceptance(acceptance.id);
    expect(await openIds(detail.service_id)).toContain(row?.id);
  });

  test('a wrong document is refused with the reason, and without a key nothing is told', async () => {
    const { client, stack } = running;
    const project = await client.createProject({ name: 'Rejections' });
    const refused = client.upload({
      project_id: project.id,
      file: Buffer.from(
        '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,"components":[{"type":"library"}]}',
      ),
    });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_sbom' });
    await refused.catch((error: ApiError) => expect(error.detail).toContain('name'));
    const response = await fetch(`${stack.baseUrl}/api/v1/projects`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });
}
