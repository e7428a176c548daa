import { randomUUID } from 'node:crypto';
import {
  createGlobalAcceptance,
  decideInBulk,
  deleteAcceptance,
  deleteBulkDecision,
  listAcceptances,
  readBulkDecision,
  type BulkDecisionView,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import type { BulkRequest } from './decide-in-bulk';
import type { BulkDocument } from './ports';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2, sweepRate: 8 });
});
afterAll(() => harness?.stop());

const found = ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2', 'axios@0.1.0 GHSA-3'];
const jobs = () => harness.db.collection<BulkDocument>('bulk_decisions');
const acceptances = () => harness.db.collection<AcceptanceDocument>('acceptances');

async function services(count: number): Promise<[TestService, ...TestService[]]> {
  const first = new TestService(harness);
  const set = harness.newSet(...found);
  const rest = Array.from({ length: count - 1 }, () => new TestService(harness, first.project_id));
  for (const service of [first, ...rest]) await service.scanned(set);
  return [first, ...rest];
}

async function decide(given: Omit<BulkRequest, 'reason'>): Promise<BulkDecisionView> {
  return (await harness.bus.request(decideInBulk, { reason: 'r', ...given })).body;
}

test('a filter decides about what it selects, in the package and service of each, and about nothing later', async () => {
  const [one, two] = await services(2);
  const { project_id } = one;
  const bulk = await decide({
    project_id,
    decision: 'not_affected',
    filter: { package_name: 'axios' },
  });
  expect(bulk).toMatchObject({ project_id, status: 'done', decided: 4, not_found: 0 });
  const decided = {
    'lodash GHSA-1': 'open',
    'axios GHSA-2': 'not_affected',
    'axios GHSA-3': 'not_affected',
  };
  expect(await one.states()).toEqual(decided);
  expect(await two?.states()).toEqual(decided);
  const later = new TestService(harness, project_id);
  await later.scanned(harness.newSet(...found));
  expect(await later.states()).toMatchObject({ 'axios GHSA-2': 'open' });

  const page = { project_id, page: 1, per_page: 50 };
  const { items } = (await harness.bus.request(listAcceptances, page)).body;
  expect(items).toHaveLength(4);
  expect(new Set(items.map(({ bulk_id }) => bulk_id))).toEqual(new Set([bulk.id]));
  await harness.bus.request(deleteAcceptance, { acceptance_id: items[0]?.id ?? '' });
  const named = { bulk_id: bulk.id, of_project: project_id };
  expect((await harness.bus.request(readBulkDecision, named)).body.decided).toBe(3);
  await harness.bus.request(deleteBulkDecision, named);
  expect(await one.states()).toEqual({
    'lodash GHSA-1': 'open',
    'axios GHSA-2': 'open',
    'axios GHSA-3': 'open',
  });
  expect(await acceptances().countDocuments({ bulk_id: bulk.id })).toBe(0);
  await expect(harness.bus.request(deleteBulkDecision, named)).rejects.toMatchObject({
    code: 'acceptance_not_found',
  });
});

test('a filter by one version does not decide what other versions of the package have, too', async () => {
  const service = new TestService(harness);
  const versions = ['lodash@1.0.0 GHSA-1', 'lodash@2.0.0 GHSA-1', 'lodash@1.0.0 GHSA-4'];
  await service.scanned(harness.newSet(...versions));
  const { project_id } = service;
  const purl = 'pkg:npm/lodash@1.0.0';
  expect(await decide({ project_id, filter: { purl } })).toMatchObject({ decided: 1 });
  const states = { 'lodash GHSA-1': 'open', 'lodash GHSA-4': 'accepted' };
  expect(await service.states()).toEqual(states);
});

test('named vulnerabilities of the project are decided about, and others counted', async () => {
  const [one] = await services(1);
  const [foreign] = await services(1);
  const ids = async (service: TestService) => (await service.documents()).map(({ _id }) => _id);
  const named = [...(await ids(one)), ...(await ids(foreign)), randomUUID()];
  const bulk = await decide({ project_id: one.project_id, vulnerability_ids: named });
  expect(bulk).toMatchObject({ decided: 3, not_found: 4, status: 'done' });
  expect(await one.activeList()).toEqual([]);
  expect(await foreign.activeList()).toHaveLength(3);
});

test('a named vulnerability and one that was merged into it are one, and neither counts as not found', async () => {
  const service = new TestService(harness);
  const digest = harness.newSet('lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1');
  const scan = await service.scanned(digest);
  const [older = '', younger = ''] = (await service.documents()).map(({ _id }) => _id);
  harness.setScan(digest, 'lodash@1.0.0 GHSA-1 PYSEC-1 CVE-1');
  await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
  const { project_id } = service;
  const named = [younger, older, randomUUID()];
  const bulk = await decide({ project_id, vulnerability_ids: named });
  expect(bulk).toMatchObject({ decided: 1, not_found: 1 });
});

test('a repeated call with the same key is the first one, in each project, and waits for the same end', async () => {
  const [one] = await services(1);
  const [other] = await services(1);
  const given = { project_id: one.project_id, filter: {}, idempotency_key: 'k' };
  const calls = await Promise.all([decide(given), decide(given), decide(given)]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  for (const call of calls) expect(call).toMatchObject({ status: 'done', decided: 3 });
  expect(await one.activeList()).toEqual([]);
  expect(await acceptances().countDocuments({ project_id: one.project_id })).toBe(3);
  expect((await decide({ ...given, project_id: other.project_id })).id).not.toBe(calls[0]?.id);
});

test('another call with the same key is refused, since what it wants would not be done', async () => {
  const [{ project_id }] = await services(1);
  const given = { project_id, filter: {}, idempotency_key: 'k', request_digest: 'a'.repeat(64) };
  await decide(given);
  const changed = decide({ ...given, request_digest: 'b'.repeat(64) });
  await expect(changed).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('a call that the release before stored or sends, without a digest, is the same', async () => {
  const [{ project_id }] = await services(1);
  const sent = (idempotency_key: string) => ({ project_id, filter: {}, idempotency_key });
  const request_digest = 'a'.repeat(64);
  const stored = await decide(sent('before'));
  expect((await decide({ ...sent('before'), request_digest })).id).toBe(stored.id);
  const later = await decide({ ...sent('after'), request_digest });
  expect((await decide(sent('after'))).id).toBe(later.id);
});

test.each([
  ['before anything was stored', { state: 'storing' as const }, 0],
  ['after some decisions were stored', { state: 'storing' as const }, 4],
  ['while the services were brought up to date', { state: 'applying' as const }, 9],
])('a call whose process ended %s is carried on by another one', async (_title, left, stored) => {
  const all = await services(3);
  const { project_id } = all[0];
  const { id } = await decide({ project_id, filter: {} });
  // As it was when the process ended: some decisions are stored, and no service reflects them.
  const made = await acceptances().find({ bulk_id: id }).toArray();
  await harness.bus.request(deleteBulkDecision, { bulk_id: id, of_project: null });
  expect(await all[0].activeList()).toHaveLength(3);
  if (stored > 0) await acceptances().insertMany(made.slice(0, stored));
  await harness.db
    .collection<{ _id: string; epoch: number }>('acceptance_epochs')
    .updateOne({ _id: project_id }, { $inc: { epoch: 1 } });
  const begun = { ...left, position: null, service: '' };
  await jobs().updateOne({ _id: id }, { $set: begun, $unset: { revoked: true } });
  await eventually(async () => (await jobs().findOne({ _id: id }))?.state === 'done', {
    what: 'it is done',
    within: 30_000,
  });
  for (const service of all) expect(await service.activeList()).toEqual([]);
  expect(await acceptances().countDocuments({ bulk_id: id })).toBe(9);
});

test('a deletion whose process ended is completed by another one', async () => {
  const all = await services(2);
  const { id } = await decide({ project_id: all[0].project_id, filter: {} });
  // As it was when the process ended: no decision was revoked yet.
  await jobs().updateOne({ _id: id }, { $set: { revoked: true, state: 'revoking' } });
  await eventually(async () => (await jobs().findOne({ _id: id }))?.state === 'done', {
    what: 'it is done',
    within: 30_000,
  });
  for (const service of all) expect(await service.activeList()).toHaveLength(3);
  expect(await acceptances().countDocuments({ bulk_id: id })).toBe(0);
});

test('a decision for all projects applies everywhere, now and later, except where a narrower one does', async () => {
  const name = `CVE-${randomUUID().toUpperCase()}`;
  const set = harness.newSet(`vue@1.0.0 ${name}`);
  const one = new TestService(harness);
  const two = new TestService(harness);
  for (const service of [one, two]) await service.scanned(set);
  const [row] = await one.documents();
  const [other] = await two.documents();
  const vulnerability_id = row?._id ?? '';
  const request = { vulnerability_id, reason: 'r', decision: 'false_positive' as const };
  const { id } = (await harness.bus.request(createGlobalAcceptance, request)).body;
  expect([await one.states(), await two.states()]).toEqual(
    [one, two].map(() => ({ [`vue ${name}`]: 'false_positive' })),
  );
  const later = new TestService(harness);
  await later.scanned(set);
  expect(await later.activeList()).toEqual([]);
  await expect(harness.bus.request(createGlobalAcceptance, request)).rejects.toMatchObject({
    code: 'acceptance_exists',
  });
  await decide({ project_id: two.project_id, vulnerability_ids: [other?._id ?? ''] });
  expect(await two.states()).toEqual({ [`vue ${name}`]: 'accepted' });

  const page = { page: 1, per_page: 50 };
  const global = (await harness.bus.request(listAcceptances, { ...page, is_global: true })).body;
  expect(global.items.map((each) => each.id)).toEqual([id]);
  const own = { ...page, project_id: one.project_id };
  expect((await harness.bus.request(listAcceptances, own)).body.items).toEqual([]);
  const refused = { code: 'acceptance_not_found' };
  await expect(harness.bus.request(deleteAcceptance, { acceptance_id: id })).rejects.toMatchObject(
    refused,
  );
  await harness.bus.request(deleteAcceptance, { acceptance_id: id, is_global: true });
  expect(await one.activeList()).toHaveLength(1);
  expect(await later.activeList()).toHaveLength(1);
});
