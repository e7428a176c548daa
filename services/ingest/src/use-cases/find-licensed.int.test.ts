import { gzipSync } from 'node:zlib';
import { findLicensedSets, readLicensed, type LicenseQuery } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import type { ComponentSetRecord } from '../store/document-store';
import { cyclonedx, npm, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest({ BOMTRAIL_TEST_SWEEP_RATE: 8 });
});
afterAll(() => ingest?.stop());

const licensed = (name: string, expression: string) => ({
  ...npm(name, '1.0.0'),
  licenses: [{ expression }],
});

async function upload(...components: object[]): Promise<string> {
  await ingest.upload(cyclonedx(components));
  return ingest.registered.at(-1)?.digest ?? '';
}

async function find(query: Partial<LicenseQuery>) {
  const { body, attachment } = await ingest.bus.request(findLicensedSets, {
    license: null,
    group: null,
    ...query,
  });
  return { ...body, digests: (await unpackJson(attachment ?? Buffer.of())) as string[] };
}

test('component sets are found by every licence that they name, and by group', async () => {
  const choice = await upload(licensed('a', 'EUPL-1.2 OR MIT'), licensed('b', 'ISC'));
  const only = await upload(licensed('c', 'EUPL-1.2'));
  const byId = await find({ license: 'eupl-1.2' });
  expect(byId).toMatchObject({ sets: 2, complete: true, key: 'id:EUPL-1.2', similar: [] });
  expect(byId.digests.sort()).toEqual([choice, only].sort());
  expect((await find({ group: 'network_copyleft' })).digests).toEqual([only]);
  expect(await find({ license: 'EUPL' })).toMatchObject({
    key: null,
    digests: [],
    similar: ['EUPL-1.0', 'EUPL-1.1', 'EUPL-1.2'],
  });
  const { attachment } = await ingest.bus.request(readLicensed, {
    key: 'id:EUPL-1.2',
    digests: [choice, only],
  });
  expect(await unpackJson(attachment ?? Buffer.of())).toEqual({
    [choice]: {
      count: 1,
      first: [{ name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0', license: 'EUPL-1.2 OR MIT' }],
    },
    [only]: { count: 1, first: [expect.objectContaining({ name: 'c' })] },
  });
});

test('own ids beyond those that are indexed make the search for one incomplete, and no other', async () => {
  const own = Array.from({ length: 1_001 }, (_, n) => licensed(`own-${n}`, `LicenseRef-${n}`));
  const digest = await upload(...own);
  const present = await find({ license: 'LicenseRef-1' });
  expect(present).toMatchObject({ digests: [digest], complete: false });
  const { digests, complete } = await find({ license: 'LicenseRef-999' });
  const other = await find({ license: 'LicenseRef-1000' });
  expect([digests.length + other.digests.length, complete, other.complete]).toEqual([
    1,
    false,
    false,
  ]);
  expect(await find({ license: 'MIT' })).toMatchObject({ complete: true });
  await ingest.db.collection<{ _id: string }>('component_sets').deleteOne({ _id: digest });
  expect(await find({ license: 'LicenseRef-1' })).toMatchObject({ digests: [], complete: true });
});

test('the search reads an index alone, and completeness one of its own', async () => {
  await upload(licensed('x', 'CPAL-1.0'));
  await ingest.db.command({ profile: 2 });
  await find({ license: 'CPAL-1.0' });
  await ingest.db.command({ profile: 0 });
  const read = await ingest.db
    .collection('system.profile')
    .find({ ns: /\.component_sets$/, 'command.find': 'component_sets' })
    .toArray();
  const plans = read.map(({ planSummary, docsExamined, command }) => [
    String(planSummary).slice(0, 30),
    docsExamined,
    Object.keys(command.filter as object)[0],
  ]);
  expect(plans).toContainEqual(['IXSCAN { licences.keys: 1, _id', 0, 'licences.keys']);
  expect(plans).toContainEqual(['IXSCAN { licence_index: 1 }', 0, 'licence_index']);
  expect(JSON.stringify(plans)).not.toContain('COLLSCAN');
});

test('sets of an earlier release are indexed later, and missing until then', async () => {
  const components = [{ name: 'old', version: '1', purl: null, license: 'OSL-3.0' }];
  const _id = 'a'.repeat(64);
  await ingest.db.collection<ComponentSetRecord>('component_sets').insertOne({
    _id,
    count: 1,
    created_at: new Date(),
    blob: { bytes: gzipSync(JSON.stringify(components)) },
  });
  expect(await find({ license: 'OSL-3.0' })).toMatchObject({ complete: false, digests: [] });
  await eventually(async () => (await find({ license: 'OSL-3.0' })).sets === 1, {
    what: 'the set is indexed',
    within: 60_000,
  });
  expect(await find({ license: 'OSL-3.0' })).toMatchObject({ complete: true, digests: [_id] });
}, 90_000);
