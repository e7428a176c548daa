import {
  deleteVex,
  readEmbeddedVex,
  readVexDocument,
  readVulnerability,
  setEmbeddedVex,
} from '@bomtrail/messages';
import { handles, packJson } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { serveFakeVex, type FakeVex } from '../testing/fake-vex';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let fake: FakeVex;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2, sweepRate: 8 });
  fake = serveFakeVex(harness);
  harness.bus.serve(
    handles(readEmbeddedVex, async () => {
      const said = statement('GHSA-1', 'affected', '2026-03-01T00:00:00.000Z');
      const statements = [{ ...said, vulnerability: ['GHSA-1'], justification: null }];
      const matches = [{ fits: true, covers: 'everything' }];
      const text = JSON.stringify({ statements, matches });
      return { body: { statements: 1 }, attachment: await packJson(text) };
    }),
  );
});
afterAll(() => harness?.stop());

const sbom = { root: 'app@1.0.0', components: ['lib@1.0.0'] };
const oneGroup = 'lib@1.0.0 GHSA-1 CVE-1';

function statement(id: string, status: string, timestamp: string) {
  return {
    vulnerability: { name: id },
    products: [{ '@id': 'pkg:npm/app@1.0.0' }],
    status,
    timestamp,
    ...(status === 'affected' && { action_statement: 'Upgrade.' }),
    ...(status === 'not_affected' && { justification: 'component_not_present' }),
  };
}

const document = (id: string, version: number, said: object): object => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': id,
  author: 'Example',
  timestamp: '2026-01-01T00:00:00Z',
  version,
  statements: [said],
});
const notAffected = document(
  'urn:not',
  1,
  statement('CVE-1', 'not_affected', '2026-01-01T00:00:00Z'),
);
const affected = (version = 1, id = 'GHSA-1'): object =>
  document('urn:affected', version, statement(id, 'affected', '2026-02-01T00:00:00Z'));

/** The statuses in the list and in the record, and how many conflicts a document has. */
async function stateOf(service: TestService, vexId: string) {
  const [row] = await service.documents();
  const asked = { vulnerability_id: row?._id ?? '', of_project: null };
  const record = (await harness.bus.request(readVulnerability, asked)).body;
  const read = await harness.bus.request(readVexDocument, { vex_id: vexId, of_project: null });
  const conflicts = read.body.conflicts.map(({ document_id, counts }) => [document_id, counts]);
  return { row: row?.status, record: record.status, conflicts };
}

const open = { row: 'open', record: 'open', conflicts: [['urn:affected', false]] };
const decided = { row: 'not_affected', record: 'not_affected', conflicts: [] };

test('“affected” under another id of the vulnerability counts, until its document is replaced or deleted', async () => {
  const service = new TestService(harness);
  const { project_id } = service;
  await fake.upload(service, sbom, oneGroup);
  const { id } = await fake.importVex(notAffected, project_id);
  const decision = async (): Promise<unknown> => {
    const found = await harness.db.collection('acceptances').findOne({ vex_id: id });
    return found && [found._id, found['created_at']];
  };
  const before = await decision();
  expect(await stateOf(service, id)).toEqual(decided);
  const other = await fake.importVex(affected(), project_id);
  expect(await stateOf(service, id)).toEqual(open);
  await fake.importVex(affected(2, 'GHSA-2'), project_id);
  expect(await stateOf(service, id)).toEqual(decided);
  await fake.importVex(affected(3), project_id);
  expect(await stateOf(service, id)).toEqual(open);
  await harness.bus.request(deleteVex, { vex_id: other.id, of_project: null });
  expect(await stateOf(service, id)).toEqual(decided);
  expect(await decision()).toEqual(before);
});

test('it counts in what is uploaded later, and while the ids are aliases', async () => {
  const service = new TestService(harness);
  const { id } = await fake.importVex(notAffected, service.project_id);
  await fake.importVex(affected(), service.project_id);
  const first = await fake.upload(service, sbom, oneGroup);
  const rescan = async (revision: number, ...findings: string[]): Promise<void> => {
    harness.setScan(first.digest, ...findings);
    harness.revisions.set(first.digest, revision);
    await harness.finish({ ...first, lane: 'rescan', revision });
  };
  // The result of a scan is told before the conflicts follow.
  const soon = async (expected: object): Promise<void> => {
    const { row, record } = await stateOf(service, id);
    expect(expected).toMatchObject({ row, record });
    await eventually(async () => expect(await stateOf(service, id)).toEqual(expected), {
      what: 'the conflicts are found',
    });
  };
  await soon(open);
  await rescan(2, 'lib@1.0.0 CVE-1');
  await soon(decided);
  await rescan(3, 'lib@1.0.0 CVE-1 PYSEC-1 GHSA-1');
  await soon(open);
  const second = await fake.upload(service, sbom, 'lib@1.0.0 CVE-1');
  await soon(decided);
  await service.remove(second);
  await soon(open);
});

test('it counts in an SBOM that says so itself, once its project applies that', async () => {
  const service = new TestService(harness);
  const { project_id } = service;
  await fake.upload(service, sbom, oneGroup);
  const { id } = await fake.importVex(notAffected, project_id);
  const set = (mode: 'apply' | 'off') => harness.bus.request(setEmbeddedVex, { project_id, mode });
  for (const [mode, row] of [
    ['apply', 'open'],
    ['off', 'not_affected'],
  ] as const) {
    await set(mode);
    await eventually(async () => expect(await stateOf(service, id)).toMatchObject({ row }), {
      what: `statements in SBOMs are ${mode}`,
      within: 30_000,
    });
  }
});

test('what was evaluated by other rules is evaluated again', async () => {
  const service = new TestService(harness);
  const { project_id, service_id } = service;
  await fake.upload(service, sbom, oneGroup);
  const { id } = await fake.importVex(notAffected, project_id);
  await fake.importVex(affected(), project_id);
  await harness.db
    .collection<{ _id: string }>('vex_evaluations')
    .updateOne({ _id: service_id }, { $unset: { rules: 1, compared: 1, conflicts: 1 } });
  await harness.db.collection('acceptances').updateOne({ vex_id: id }, { $unset: { packages: 1 } });
  await harness.db
    .collection('tracked_vulnerabilities')
    .updateOne({ service_id }, { $set: { status: 'not_affected' } });
  await eventually(async () => expect(await stateOf(service, id)).toEqual(open), {
    what: 'the documents are evaluated',
    within: 30_000,
  });
});
