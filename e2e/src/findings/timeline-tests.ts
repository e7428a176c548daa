/// <reference types="jest" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createApiClient,
  sendForJson,
  waitForScan,
  type ApiClient,
  type VexFormat,
} from '@bomtrail/api-client';
import { decisionKinds, justifications } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { auditFolder } from '../audit/audit-folder';
import { example, npmDocument } from '../support/examples';
import { repositoryRoot } from '../support/real-data';
import type { TestStack } from '../support/test-stack';
import {
  decideEach,
  decisionsIn,
  exported,
  imported,
  projectOf,
  type Decided,
} from '../support/vex-round-trip';

const scanMs = 30_000;
/** Of lodash 4.17.15, in the starter set; fixed in 4.17.21. */
const cve = 'CVE-2021-23337';
const vulnerable = npmDocument('t', ['lodash@4.17.15']);
const fixed = npmDocument('t', ['lodash@4.17.21']);

interface Vdr {
  components: { 'bom-ref': string }[];
  vulnerabilities: { analysis?: object; affects: { ref: string }[] }[];
}

interface OpenVex {
  statements: { products: [{ '@id': string }] }[];
}

/** Tests of what a vulnerability and the decisions about it tell of their past. */
export function timelineTests(stack: () => TestStack): void {
  let running: TestStack;
  let client: ApiClient;
  let project: { id: string };

  beforeAll(async () => {
    running = stack();
    client = running.client;
    project = await client.createProject({ name: 'Timeline' });
  });

  async function upload(version: string, file: Uint8Array): Promise<string> {
    const named = { project_id: project.id, service_name: 'shop', version, file };
    const { id } = await client.upload(named);
    await waitForScan(client, id, scanMs);
    return id;
  }

  const list = (status: string, of = client) =>
    of.vulnerabilities({ project_id: project.id, cve_id: cve, status });

  /** `opened 1, accepted`: the events, with the version of the SBOM. */
  async function message(id: string): Promise<string> {
    const { timeline } = await client.vulnerability(id);
    return timeline
      .map(({ event, version }) => (version === undefined ? event : `${event} ${version}`))
      .join(', ');
  }

  test('the life of a vulnerability: opened, accepted, taken back, expired, fixed, back by a roll-back, and another past once an SBOM is deleted', async () => {
    const first = await upload('1', vulnerable);
    const [opened] = (await list('open')).items;
    const id = opened?.id ?? '';
    expect(opened).toMatchObject({
      status: 'open',
      reopened: 0,
      fixed_in: null,
      introduced_in: { sbom_id: first, version: '1', at: opened?.first_seen_at },
    });
    expect(await message(id)).toBe('opened 1');

    const accept = (rest: { expires_at?: string } = {}) =>
      client.accept({ project_id: project.id, vulnerability_id: id, reason: 'Not now.', ...rest });
    const acceptance = await accept();
    expect(await client.vulnerability(id)).toMatchObject({
      status: 'accepted',
      acceptances: [{ id: acceptance.id, service_id: null, reason: 'Not now.' }],
    });
    expect((await list('accepted')).items).toMatchObject([{ id, status: 'accepted' }]);
    expect(await message(id)).toBe('opened 1, accepted');
    await sendForJson(running.target, {
      method: 'DELETE',
      path: `/api/v1/vulnerabilities/acceptances/${acceptance.id}`,
    });
    expect(await message(id)).toBe('opened 1');
    await accept({ expires_at: new Date(Date.now() + 3_000).toISOString() });
    await eventually(async () => (await client.vulnerability(id)).timeline.length === 3, {
      what: 'the acceptance has expired',
    });
    expect(await message(id)).toBe('opened 1, accepted, acceptance_expired');
    expect((await list('Open')).total).toBe(1);

    const second = await upload('2', fixed);
    expect((await list('open,accepted')).total).toBe(0);
    expect((await list('FIXED')).items).toMatchObject([
      { id, status: 'fixed', sbom_id: first, fixed_in: { sbom_id: second, version: '2' } },
    ]);

    const third = await upload('1', vulnerable);
    expect(await client.vulnerability(id)).toMatchObject({
      status: 'open',
      reopened: 1,
      fixed_in: null,
      sbom_id: third,
      acceptances: [],
      introduced_in: { sbom_id: first },
    });
    expect(await message(id)).toBe('opened 1, accepted, acceptance_expired, fixed 2, reopened 1');

    await client.deleteSbom(second);
    expect(await client.vulnerability(id)).toMatchObject({ status: 'open', reopened: 0 });
    expect(await message(id)).toBe('opened 1, accepted, acceptance_expired');
    await client.deleteSbom(first);
    await client.deleteSbom(third);
    await expect(client.vulnerability(id)).rejects.toMatchObject({
      status: 404,
      code: 'vulnerability_not_found',
    });
    expect((await list('open,fixed,accepted')).total).toBe(0);
  });

  test('a key that is bound to another project sees neither the list nor the vulnerability', async () => {
    await upload('3', vulnerable);
    const id = (await list('open')).items[0]?.id ?? '';
    const other = await client.createProject({ name: 'Timeline, other' });
    const { key } = await sendForJson<{ key: string }>(running.target, {
      method: 'POST',
      path: '/api/v1/api-keys',
      body: { project_id: other.id, scopes: ['read'] },
    });
    const bound = createApiClient({ ...running.target, apiKey: key });
    expect((await list('open', bound)).total).toBe(0);
    expect((await bound.vulnerabilities({})).total).toBe(0);
    await expect(bound.vulnerability(id)).rejects.toMatchObject({ status: 404 });
    expect((await client.vulnerability(id)).id).toBe(id);
  });

  describe('Decisions that leave as a VEX document', () => {
    const justified = (justification: string): Decided => ({ kind: 'not_affected', justification });
    const plain = (kind: string): Decided => ({ kind, justification: null });
    const decisions = [...justifications.map(justified), ...decisionKinds.map(plain)];
    const shop = example('web-shop-1.0.0.cdx.json');
    let source: { id: string; sboms: string[] };

    beforeAll(async () => {
      source = await projectOf(running, { name: 'VEX, source', sboms: [shop] });
      await decideEach(running, { project_id: source.id, decisions });
    });

    /** What docs/vex.md says that a format loses. */
    function readAgain(format: VexFormat, { kind, justification }: Decided): Decided {
      if (kind === 'risk_accepted') return plain('none');
      if (kind === 'false_positive' && format !== 'cyclonedx') return plain('not_affected');
      if (justification === 'component_not_present' && format === 'cyclonedx')
        return justified('vulnerable_code_not_present');
      return { kind, justification };
    }

    test.each(['openvex', 'cyclonedx', 'csaf'] as const)(
      'come back from %s in a project with the same SBOM, but for what the mapping says',
      async (format) => {
        const before = await decisionsIn(running, source.id);
        expect(Object.values(before.decided).filter(({ kind }) => kind !== 'none')).toHaveLength(9);
        const document = await exported(running, source.id, { format });
        expect(await exported(running, source.id, { format })).toBe(document);

        const target = await projectOf(running, { name: `VEX, ${format}`, sboms: [shop] });
        await imported(running, target.id, document);
        const after = await decisionsIn(running, target.id);
        const expected = Object.entries(before.decided).map(([row, decided]) => [
          row,
          readAgain(format, decided),
        ]);
        expect(after.decided).toEqual(Object.fromEntries(expected));
        const accepted = Object.entries(before.decided).flatMap(([row, { kind }]) =>
          kind === 'risk_accepted' ? [row] : [],
        );
        expect(after.active).toEqual([...before.active, ...accepted].sort());
      },
    );

    test('are about one SBOM, where it is named, also an older one', async () => {
      const rows = (document: string): string[] =>
        (JSON.parse(document) as OpenVex).statements.map(({ products }) => products[0]['@id']);
      const sbom_id = source.sboms[0] ?? '';
      const ofNewest = await exported(running, source.id, { format: 'openvex', sbom_id });
      expect(rows(ofNewest)).toHaveLength(9);

      const report = (await sendForJson(running.target, {
        path: `/api/v1/sboms/${sbom_id}`,
        query: { format: 'cyclonedx' },
      })) as Vdr;
      expect(report.vulnerabilities.filter(({ analysis }) => analysis)).toHaveLength(9);
      const { decided } = await decisionsIn(running, source.id);
      expect(report.vulnerabilities).toHaveLength(Object.keys(decided).length);
      const refs = report.components.map((component) => component['bom-ref']);
      expect(refs).toEqual([...new Set(refs)]);
      const affected = report.vulnerabilities.flatMap(({ affects }) => affects);
      expect(refs).toEqual(expect.arrayContaining(affected.map(({ ref }) => ref)));

      const file = example('web-shop-1.1.0.cdx.json');
      const upload = { project_id: source.id, service_name: 'shop', version: '1.1.0', file };
      const { id } = await client.upload(upload);
      await waitForScan(client, id, scanMs);
      const older = await exported(running, source.id, { format: 'openvex', sbom_id });
      const newest = await exported(running, source.id, { format: 'openvex' });
      expect(new Set(rows(older))).toEqual(new Set(['pkg:npm/web-shop@1.0.0']));
      expect(new Set(rows(newest))).toEqual(new Set(['pkg:npm/web-shop@1.1.0']));
      await expect(exported(running, project.id, { format: 'openvex', sbom_id })).rejects.toThrow(
        'sbom_not_found',
      );
    });
  });

  describe('The dependencies of a lock file, by the starter advisories', () => {
    /** A folder with a lock file of these packages. */
    async function locked(packages: Record<string, string>): Promise<string> {
      const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-locked-'));
      const entries = Object.entries(packages).map(([name, version]) => [
        `node_modules/${name}`,
        { version },
      ]);
      const own = { name: 'shop', version: '1.0.0', dependencies: packages };
      const lock = { lockfileVersion: 3, packages: { '': own, ...Object.fromEntries(entries) } };
      await writeFile(path.join(folder, 'package.json'), JSON.stringify(own));
      await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
      return folder;
    }

    test('are refused where one has a serious vulnerability', async () => {
      const folder = await locked({ lodash: '4.17.15', 'left-pad': '1.3.0' });
      const { verdict } = await auditFolder(client, folder, scanMs);
      await rm(folder, { recursive: true });
      const refused = verdict.refused.map(({ package_name }) => package_name);
      expect(new Set(refused)).toEqual(new Set(['lodash']));
    });

    test('of this product have none that is not accepted with a reason', async () => {
      const { verdict, scan } = await auditFolder(client, repositoryRoot, scanMs);
      expect([scan.scan_status, scan.advisory_data]).toEqual(['scanned', 'starter']);
      expect(scan.dependency_count).toBeGreaterThan(500);
      expect(verdict.refused).toEqual([]);
    });
  });
}
