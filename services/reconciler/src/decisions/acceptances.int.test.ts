import { randomUUID } from 'node:crypto';
import {
  createAcceptance,
  deleteAcceptance,
  listAcceptances,
  scanCompleted,
  type AcceptanceView,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { ownReconciler } from '../testing/fault-points';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { newDecision } from './create-acceptance';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterEach(() => {
  harness.beforeScanResponse = async () => {};
});
afterAll(() => harness?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const reason = 'Not reachable from outside.';

async function vulnerabilityOf(service: TestService, name = 'lodash'): Promise<string> {
  const vulnerability = (await service.documents()).find(
    ({ snapshot }) => snapshot?.package_name === name,
  );
  return vulnerability?._id ?? '';
}

async function accept(
  service: TestService,
  rest: Partial<Pick<AcceptanceView, 'vulnerability_id' | 'service_id' | 'expires_at'>> & {
    project_id?: string;
  } = {},
): Promise<AcceptanceView> {
  const vulnerability_id = rest.vulnerability_id ?? (await vulnerabilityOf(service));
  const given = { project_id: service.project_id, service_id: null, expires_at: null };
  const request = { ...given, ...rest, vulnerability_id, reason };
  return (await harness.bus.request(createAcceptance, request)).body;
}

const revert = (acceptance_id: string) => harness.bus.request(deleteAcceptance, { acceptance_id });

async function openOf(project_id: string): Promise<AcceptanceView[]> {
  const { body } = await harness.bus.request(listAcceptances, {
    project_id,
    page: 1,
    per_page: 50,
  });
  expect(body.total).toBe(body.items.length);
  return body.items;
}

describe('an acceptance at project scope', () => {
  test('applies to the vulnerability in all services of the project, now and later, and no other project', async () => {
    const one = new TestService(harness);
    const two = new TestService(harness, one.project_id);
    const foreign = new TestService(harness);
    const set = harness.newSet(lodash, axios);
    for (const service of [one, two, foreign]) await service.scanned(set);
    const acceptance = await accept(one);
    expect(acceptance).toMatchObject({ service_id: null, reason, expires_at: null });
    const covered = { 'lodash GHSA-1': 'accepted', 'axios GHSA-2': 'open' };
    expect(await one.states()).toEqual(covered);
    expect(await two.states()).toEqual(covered);
    expect(await foreign.states()).toMatchObject({ 'lodash GHSA-1': 'open' });

    await one.scanned(harness.newSet('lodash@1.5.0 GHSA-1 CVE-1'));
    expect(await one.states()).toMatchObject({ 'lodash GHSA-1': 'accepted' });
    const later = new TestService(harness, one.project_id);
    await later.scanned(harness.newSet(lodash));
    expect(await later.activeList()).toEqual([]);
    const named = { cve_id: 'CVE-1', package_name: 'lodash' };
    expect(await openOf(one.project_id)).toEqual([{ ...acceptance, ...named }]);
  });

  test('applies to the same vulnerability in another package', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash, 'lodash-es@1.0.0 GHSA-7 CVE-1'));
    await accept(service);
    expect(await service.activeList()).toEqual([]);
  });

  test('stays when its vulnerability is fixed, and applies to it when it comes back', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    await accept(service);
    await service.scanned(harness.newSet(axios));
    expect(await service.states()).toMatchObject({ 'lodash GHSA-1': 'fixed' });
    await service.scanned(harness.newSet(lodash));
    expect(await service.states()).toMatchObject({ 'lodash GHSA-1': 'accepted' });
  });

  test('can be given for a fixed vulnerability', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    await service.scanned(harness.newSet(axios));
    await accept(service);
    await service.scanned(harness.newSet(lodash, axios));
    expect((await service.activeList()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });
});

test('an acceptance is not found in another project, and stays active', async () => {
  const service = new TestService(harness);
  await service.scanned(harness.newSet(lodash));
  const { id: acceptance_id } = await accept(service);
  const within = (of_project: string) =>
    harness.bus.request(deleteAcceptance, { acceptance_id, of_project });
  await expect(within(randomUUID())).rejects.toMatchObject({ code: 'acceptance_not_found' });
  expect(await service.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  await within(service.project_id);
  expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open' });
});

test('reads that come at once give the decisions of each project, also without a service', async () => {
  const { acceptances } = ownReconciler(harness).deps;
  const projects = [randomUUID(), randomUUID()];
  const given = { vulnerability_id: randomUUID(), services: null, reason };
  for (const project_id of projects)
    await acceptances.insert(newDecision({ ...given, project_id, identity: [project_id] }));
  const found = await Promise.all(
    projects.map((project_id) => acceptances.active({ project_id, service_id: '' })),
  );
  expect(found.map((one) => one.acceptances.flatMap(({ identity }) => identity))).toEqual(
    projects.map((project_id) => [project_id]),
  );
});

test('an acceptance at service scope applies to that service only, which need not be the vulnerability’s own', async () => {
  const one = new TestService(harness);
  const two = new TestService(harness, one.project_id);
  const set = harness.newSet(lodash);
  for (const service of [one, two]) await service.scanned(set);
  await accept(one, { service_id: two.service_id });
  expect(await one.states()).toEqual({ 'lodash GHSA-1': 'open' });
  expect(await two.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  await two.scanned(set);
  await one.scanned(set);
  expect(await one.states()).toEqual({ 'lodash GHSA-1': 'open' });
  expect(await two.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
});

describe('an acceptance is rejected', () => {
  test('when project, service or vulnerability does not exist or belongs to another project', async () => {
    const service = new TestService(harness);
    const foreign = new TestService(harness);
    for (const one of [service, foreign]) await one.scanned(harness.newSet(lodash, axios));
    const gone = await service.scanned(harness.newSet(lodash, 'vue@1.0.0 GHSA-3'));
    const vanished = await vulnerabilityOf(service, 'vue');
    await service.remove(gone);
    const cases: [string, Parameters<typeof accept>[1]][] = [
      ['project_not_found', { project_id: randomUUID() }],
      ['service_not_found', { service_id: randomUUID() }],
      ['service_not_found', { service_id: foreign.service_id }],
      ['vulnerability_not_found', { vulnerability_id: randomUUID() }],
      ['vulnerability_not_found', { vulnerability_id: await vulnerabilityOf(foreign) }],
      ['vulnerability_not_found', { vulnerability_id: vanished }],
    ];
    for (const [code, rest] of cases)
      await expect(accept(service, rest)).rejects.toMatchObject({ code });
    expect(await openOf(service.project_id)).toEqual([]);
  });

  test('when the scope has one for that alias set, through whichever vulnerability; other scopes are free', async () => {
    const one = new TestService(harness);
    const two = new TestService(harness, one.project_id);
    await one.scanned(harness.newSet(lodash));
    await two.scanned(harness.newSet('lodash-es@1.0.0 GHSA-7 CVE-1', axios));
    const exists = { code: 'acceptance_exists' };
    await accept(one);
    await expect(accept(one)).rejects.toMatchObject(exists);
    const other = await vulnerabilityOf(two, 'lodash-es');
    await expect(accept(two, { vulnerability_id: other })).rejects.toMatchObject(exists);
    await accept(one, { service_id: one.service_id });
    await accept(one, { service_id: two.service_id });
    await expect(accept(one, { service_id: two.service_id })).rejects.toMatchObject(exists);
    await accept(two, { vulnerability_id: await vulnerabilityOf(two, 'axios') });
    expect(await openOf(one.project_id)).toHaveLength(4);
  });

  test('but of ten given at once one is taken', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => accept(service)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'acceptance_exists' });
  });
});

describe('an acceptance that is revoked', () => {
  test('opens its vulnerabilities again at once, and can be given anew', async () => {
    const one = new TestService(harness);
    const two = new TestService(harness, one.project_id);
    for (const service of [one, two]) await service.scanned(harness.newSet(lodash));
    const { id } = await accept(one);
    await revert(id);
    for (const service of [one, two])
      expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open' });
    expect(await openOf(one.project_id)).toEqual([]);
    await accept(two);
    expect(await one.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  });

  test('leaves accepted what another acceptance applies to', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const { id } = await accept(service);
    await accept(service, { service_id: service.service_id });
    await revert(id);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  });

  test('is revoked by exactly one of ten parallel calls; an unknown one is rejected', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const { id } = await accept(service);
    const calls = await Promise.allSettled(Array.from({ length: 10 }, () => revert(id)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const httpError = { code: 'acceptance_not_found' };
    for (const call of calls)
      if (call.status === 'rejected') expect(call.reason).toMatchObject(httpError);
    await expect(revert(randomUUID())).rejects.toMatchObject(httpError);
  });
});

describe('an acceptance that expires', () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  function opens(service: TestService): Promise<void> {
    return eventually(async () => expect(await service.activeList()).toHaveLength(1), {
      what: 'the vulnerability is open again',
    });
  }

  test('opens its vulnerabilities within seconds and stays listed', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const acceptance = await accept(service, { expires_at: inMs(1500) });
    expect(await service.activeList()).toEqual([]);
    await opens(service);
    expect(await openOf(service.project_id)).toMatchObject([acceptance]);
    await service.scanned(harness.newSet(lodash));
    expect(await service.activeList()).toHaveLength(1);
  });

  test('while the scan of a new service is read does not apply to what that scan brings', async () => {
    const known = new TestService(harness);
    await known.scanned(harness.newSet(lodash));
    const service = new TestService(harness, known.project_id);
    const digest = harness.newSet(lodash);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let requested = false;
    harness.beforeScanResponse = async (one) => {
      if (one !== digest) return;
      requested = true;
      await gate;
    };
    await accept(known, { expires_at: inMs(3000) });
    const scan = service.upload(digest);
    await harness.bus.publish(scanCompleted, scan);
    await eventually(() => requested, { what: 'the scan is read' });
    expect(await known.activeList()).toEqual([]);
    await opens(known);
    open();
    await harness.finish(scan);
    await opens(service);
  });

  test('while no process runs, however long, is applied at the start', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const { id } = await accept(service, { expires_at: inMs(3_600_000) });
    expect(await service.activeList()).toEqual([]);
    await harness.stopProcesses();
    const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000);
    await harness.db
      .collection<AcceptanceDocument>('acceptances')
      .updateOne({ _id: id }, { $set: { expires_at: threeDaysAgo } });
    await harness.startProcess();
    await harness.startProcess();
    await opens(service);
  });
});

describe('an acceptance that is given while uploads arrive', () => {
  test('leaves no accepted vulnerability open, round after round', async () => {
    for (let round = 0; round < 12; round++) {
      const known = new TestService(harness);
      await known.scanned(harness.newSet(lodash));
      const vulnerability_id = await vulnerabilityOf(known);
      const others = Array.from({ length: 10 }, () => new TestService(harness, known.project_id));
      const uploads = [...others, ...others.map(() => known)].map((service, n) =>
        service.upload(harness.newSet(`lodash@1.${n}.0 GHSA-1 CVE-1`)),
      );
      await Promise.all([harness.finish(...uploads), accept(known, { vulnerability_id })]);
      for (const service of [known, ...others])
        expect(await service.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
    }
  });

  test('is made good by the next delivery when a process ended between its write and its second look', async () => {
    const service = new TestService(harness);
    const scan = await service.scanned(harness.newSet(lodash));
    await accept(service);
    await harness.db
      .collection('tracked_vulnerabilities')
      .updateOne({ service_id: service.service_id }, { $set: { status: 'open', open: true } });
    expect(await service.activeList()).toHaveLength(1);
    await harness.finish({ ...scan, attempt: 1 });
    expect(await service.activeList()).toEqual([]);
  });
});
