import { randomUUID } from 'node:crypto';
import {
  createAcceptance,
  deleteVex,
  importVex,
  listVex,
  readVexDocument,
} from '@bomtrail/messages';
import { gzip } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { serveFakeVex, type FakeVex } from '../testing/fake-vex';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import type { AcceptanceDocument } from '../tracking/store/documents';

let harness: TestReconciler;
let fake: FakeVex;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
  fake = serveFakeVex(harness);
});
afterAll(() => harness?.stop());

const sbom = { root: 'app@1.0.0', components: ['lodash@1.0.0', 'axios@0.1.0'] };
const findings = ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2 CVE-2'];

interface Said {
  vulnerability: string;
  product?: string;
  parts?: string[];
  status?: string;
  at?: string;
}

/** An OpenVEX document about `app`. */
function openVex(version: number, said: Said[], id = 'https://example.com/vex'): object {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author: 'Example',
    timestamp: '2026-01-01T00:00:00Z',
    version,
    statements: said.map(({ vulnerability, product = 'pkg:npm/app@1.0.0', parts, ...one }) => ({
      vulnerability: { name: vulnerability },
      products: [
        { '@id': product, ...(parts && { subcomponents: parts.map((p) => ({ '@id': p })) }) },
      ],
      status: one.status ?? 'not_affected',
      ...((one.status ?? 'not_affected') === 'not_affected' && {
        justification: 'vulnerable_code_not_present',
      }),
      ...(one.status === 'affected' && { action_statement: 'Upgrade.' }),
      ...(one.at && { timestamp: one.at }),
    })),
  };
}

async function newService(projectId?: string): Promise<TestService> {
  const service = new TestService(harness, projectId);
  await fake.upload(service, sbom, ...findings);
  return service;
}

const both = { lodash: 'not_affected', axios: 'open' };
async function statesOf(service: TestService): Promise<Record<string, string>> {
  const states = await service.states();
  return Object.fromEntries(Object.entries(states).map(([key, one]) => [key.split(' ')[0], one]));
}

test('a statement decides in every service whose newest SBOM has its product, and says where it does not apply', async () => {
  const service = await newService();
  const other = new TestService(harness, service.project_id);
  await fake.upload(other, { ...sbom, root: 'app@2.0.0' }, ...findings);
  const foreign = await newService();
  const document = openVex(1, [
    { vulnerability: 'CVE-1', parts: ['pkg:npm/lodash'] },
    { vulnerability: 'CVE-2', product: 'pkg:npm/other' },
    { vulnerability: 'CVE-9' },
    { vulnerability: 'CVE-2', parts: ['pkg:npm/axios@9'] },
    {
      vulnerability: 'CVE-2',
      product: 'pkg:npm/lodash',
      parts: ['pkg:npm/axios'],
      status: 'fixed',
    },
  ]);
  const imported = await fake.importVex(document, service.project_id);
  expect(await statesOf(service)).toEqual({ lodash: 'not_affected', axios: 'not_affected' });
  expect(await statesOf(other)).toEqual({ lodash: 'open', axios: 'not_affected' });
  expect(await statesOf(foreign)).toEqual({ lodash: 'open', axios: 'open' });
  expect(imported).toMatchObject({
    document_id: 'https://example.com/vex',
    version: '1',
    applied: 2,
  });
  expect(imported.results.map(({ services, reason }) => [services, reason])).toEqual([
    [1, null],
    [0, 'product_not_found'],
    [0, 'vulnerability_not_found'],
    [0, 'subcomponent_version_differs'],
    [2, null],
  ]);
  expect(await fake.importVex(document, service.project_id)).toEqual(imported);
});

test('a newer document replaces the decisions of the older one, which is refused, and a withdrawn one rewinds', async () => {
  const service = await newService();
  const { project_id } = service;
  const { id } = await fake.importVex(openVex(1, [{ vulnerability: 'CVE-1' }]), project_id);
  expect(await statesOf(service)).toEqual(both);
  const newer = await fake.importVex(openVex(2, [{ vulnerability: 'cve-2' }]), project_id);
  expect(newer.id).toBe(id);
  expect(await statesOf(service)).toEqual({ lodash: 'open', axios: 'not_affected' });
  for (const version of [1, 2])
    await expect(
      fake.importVex(openVex(version, [{ vulnerability: 'CVE-1' }]), project_id),
    ).rejects.toMatchObject({ code: 'vex_outdated' });
  const within = (of_project: string) => harness.bus.request(deleteVex, { vex_id: id, of_project });
  await expect(within(randomUUID())).rejects.toMatchObject({ code: 'vex_not_found' });
  await within(project_id);
  expect(await statesOf(service)).toEqual({ lodash: 'open', axios: 'open' });
  await expect(within(project_id)).rejects.toMatchObject({ code: 'vex_not_found' });
  const read = harness.bus.request(readVexDocument, { vex_id: id, of_project: null });
  await expect(read).rejects.toMatchObject({ code: 'vex_not_found' });
});

test('what is uploaded later is decided before it is ever open, as long as the product is the one stated', async () => {
  const service = await newService();
  await fake.importVex(
    openVex(1, [{ vulnerability: 'CVE-1', product: 'pkg:npm/app', parts: ['pkg:npm/lodash'] }]),
    service.project_id,
  );
  const later = await newService(service.project_id);
  const [row] = await later.documents();
  expect(row).toMatchObject({ status: 'not_affected' });
  expect(row?.alert_periods ?? {}).toEqual({});
  await fake.upload(service, { ...sbom, root: 'app@3.0.0' }, ...findings);
  expect(await statesOf(service)).toEqual(both);
  const renamed = await fake.upload(service, { ...sbom, root: 'else@1.0.0' }, ...findings);
  expect(await statesOf(service)).toEqual({ lodash: 'open', axios: 'open' });
  await service.remove(renamed);
  expect(await statesOf(service)).toEqual(both);
});

test('after the delete of the newest SBOM its predecessor is decided before it is ever open', async () => {
  const service = await newService();
  const products = ['pkg:npm/lodash@1.0.0', 'pkg:npm/lodash@1.1.0'];
  const said = products.map((product) => ({ vulnerability: 'CVE-1', product }));
  await fake.importVex(openVex(1, said), service.project_id);
  const periods = async () => (await service.documents())[0]?.alert_periods;
  const before = await periods();
  const newest = { ...sbom, components: ['lodash@1.1.0', 'axios@0.1.0'] };
  const found = ['lodash@1.1.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2 CVE-2'];
  await service.remove(await fake.upload(service, newest, ...found));
  expect(await statesOf(service)).toEqual(both);
  expect(await periods()).toEqual(before);
});

function decisionsIn({ project_id }: TestService): Promise<AcceptanceDocument[]> {
  return harness.db.collection<AcceptanceDocument>('acceptances').find({ project_id }).toArray();
}

test('a decision of a statement about every version keeps its id and time when the version changes', async () => {
  const service = await newService();
  await fake.importVex(
    openVex(1, [{ vulnerability: 'CVE-1', product: 'pkg:npm/lodash' }]),
    service.project_id,
  );
  const made = await decisionsIn(service);
  expect(made).toHaveLength(1);
  const components = ['lodash@1.1.0', 'axios@0.1.0'];
  const found = ['lodash@1.1.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2 CVE-2'];
  const later = await fake.upload(service, { ...sbom, components }, ...found);
  expect(await statesOf(service)).toEqual(both);
  expect(await decisionsIn(service)).toEqual(
    made.map((one) => ({ ...one, packages: expect.anything() })),
  );
  await service.remove(later);
  await eventually(async () => expect(await decisionsIn(service)).toEqual(made), {
    what: 'it is as if the later SBOM had never been',
  });
  expect(await statesOf(service)).toEqual(both);
});

test('a decision shows the version of the document that makes it now, and keeps its id and time', async () => {
  const service = await newService();
  const said = { vulnerability: 'CVE-1', at: '2026-01-03T00:00:00Z' };
  await fake.importVex(openVex(1, [said]), service.project_id);
  const made = await decisionsIn(service);
  await fake.importVex(openVex(2, [said]), service.project_id);
  const source_document = { ...made[0]?.source_document, version: '2' };
  expect(await decisionsIn(service)).toEqual([{ ...made[0], source_document }]);
});

test('nothing said of a deleted SBOM decides about an expired one that is the newest again', async () => {
  const service = new TestService(harness);
  const old = await fake.upload(service, sbom, ...findings);
  const newest = await fake.upload(service, { ...sbom, root: 'app@2.0.0' }, ...findings);
  const said = { vulnerability: 'CVE-1', product: 'pkg:npm/app@2.0.0', parts: ['pkg:npm/lodash'] };
  const { id: vex_id } = await fake.importVex(openVex(1, [said]), service.project_id);
  expect(await statesOf(service)).toEqual(both);
  await fake.expire(old);
  await service.remove(newest);
  await eventually(async () => expect((await statesOf(service))['lodash']).toBe('open'), {
    what: 'the decision is gone',
  });
  const query = { vex_id, of_project: null };
  expect((await harness.bus.request(readVexDocument, query)).body).toMatchObject({
    applied: 0,
    not_applied: { not_evaluated: 1 },
    pending_services: 0,
  });
});

test('a person’s decision wins over a document’s, and “affected” over what was said before', async () => {
  const service = await newService();
  const { project_id } = service;
  const [lodash] = await service.documents();
  await fake.importVex(
    openVex(1, [
      { vulnerability: 'CVE-1' },
      { vulnerability: 'CVE-2' },
      { vulnerability: 'CVE-2', status: 'affected', at: '2026-02-01T00:00:00Z' },
    ]),
    project_id,
  );
  expect(await statesOf(service)).toEqual(both);
  await harness.bus.request(createAcceptance, {
    project_id,
    service_id: null,
    vulnerability_id: lodash?._id ?? '',
    reason: 'We use it.',
    decision: 'in_triage',
  });
  expect(await statesOf(service)).toEqual({ lodash: 'open', axios: 'open' });
});

test('two documents that disagree are shown with each other, and the later statement counts', async () => {
  const service = await newService();
  const { project_id } = service;
  const early = { at: '2026-01-02T00:00:00Z' };
  const one = await fake.importVex(
    openVex(
      1,
      [
        { vulnerability: 'CVE-1', ...early },
        { vulnerability: 'CVE-2', ...early },
      ],
      'urn:a',
    ),
    project_id,
  );
  expect(one.conflicts).toEqual([]);
  const other = await fake.importVex(
    openVex(
      1,
      [
        { vulnerability: 'CVE-9', at: '2026-01-03T00:00:00Z' },
        { vulnerability: 'CVE-1', status: 'affected', at: '2026-01-03T00:00:00Z' },
        { vulnerability: 'CVE-2', at: '2026-01-03T00:00:00Z' },
      ],
      'urn:b',
    ),
    project_id,
  );
  expect(other.conflicts).toEqual([
    {
      index: 1,
      document_id: 'urn:a',
      other_index: 0,
      status: 'not_affected',
      counts: true,
      services: 1,
    },
  ]);
  const { body } = await harness.bus.request(readVexDocument, { vex_id: one.id, of_project: null });
  expect(body.conflicts).toEqual([
    {
      index: 0,
      document_id: 'urn:b',
      other_index: 1,
      status: 'affected',
      counts: false,
      services: 1,
    },
  ]);
  expect(await statesOf(service)).toEqual({ lodash: 'open', axios: 'not_affected' });
  await harness.bus.request(deleteVex, { vex_id: other.id, of_project: null });
  const left = await harness.bus.request(readVexDocument, { vex_id: one.id, of_project: null });
  expect(left.body.conflicts).toEqual([]);
});

test('a document for all projects decides in each, also in services that have nothing of it yet', async () => {
  const service = await newService();
  const later = new TestService(harness);
  await fake.upload(later, sbom);
  const { id } = await fake.importVex(openVex(1, [{ vulnerability: 'CVE-1' }], 'urn:all'), null);
  expect(await statesOf(service)).toEqual(both);
  await fake.upload(later, sbom, ...findings);
  expect(await statesOf(later)).toEqual(both);
  await harness.bus.request(deleteVex, { vex_id: id, of_project: null });
  expect(await statesOf(service)).toEqual({ lodash: 'open', axios: 'open' });
  expect(await statesOf(later)).toEqual({ lodash: 'open', axios: 'open' });
});

test('an import whose process ended half-way is completed', async () => {
  const service = await newService();
  await fake.importVex(openVex(1, [{ vulnerability: 'CVE-1' }]), service.project_id);
  await harness.db
    .collection('tracked_vulnerabilities')
    .updateMany({ service_id: service.service_id }, { $set: { status: 'open' } });
  await harness.db
    .collection<{ _id: string }>('vex_evaluations')
    .updateOne({ _id: service.service_id }, { $set: { applied: false } });
  await eventually(async () => expect(await statesOf(service)).toEqual(both), {
    what: 'the decisions are applied',
    within: 20_000,
  });
  await harness.db
    .collection<{ _id: string }>('vex_evaluations')
    .deleteOne({ _id: service.service_id });
  await harness.db.collection('acceptances').deleteMany({ project_id: service.project_id });
  await eventually(
    async () =>
      expect(
        await harness.db
          .collection('acceptances')
          .countDocuments({ project_id: service.project_id }),
      ).toBe(1),
    { what: 'the document is evaluated', within: 20_000 },
  );
});

test('the documents of a watched source are listed without those of others', async () => {
  const { project_id } = await newService();
  const ofPerson = await fake.importVex(openVex(1, [{ vulnerability: 'CVE-1' }]), project_id);
  const content = Buffer.from(JSON.stringify(openVex(1, [{ vulnerability: 'CVE-2' }], 'of-feed')));
  const given = { project_id, size: content.length, feed: 'https://vendor.example/vex' };
  const { body: ofFeed } = await harness.bus.request(importVex, given, await gzip(content));
  const list = async (of: object) => {
    const { body } = await harness.bus.request(listVex, { ...of, page: 1, per_page: 200 });
    return [body.items.map(({ id }) => id).sort(), body.total];
  };
  expect(await list({ feed: given.feed })).toEqual([[ofFeed.id], 1]);
  expect(await list({ feed: 'https://other.example' })).toEqual([[], 0]);
  expect(await list({ project_id })).toEqual([[ofPerson.id, ofFeed.id].sort(), 2]);
});

test('a document that cannot be read, or is for no project, is refused', async () => {
  const service = await newService();
  await expect(fake.importVex({}, service.project_id)).rejects.toMatchObject({
    code: 'unsupported_vex_format',
  });
  await expect(
    fake.importVex({ '@context': 'https://openvex.dev/ns/v0.2.0' }, service.project_id),
  ).rejects.toMatchObject({ code: 'invalid_vex' });
  await expect(
    fake.importVex(openVex(1, [{ vulnerability: 'CVE-1' }]), randomUUID()),
  ).rejects.toMatchObject({ code: 'project_not_found' });
});
