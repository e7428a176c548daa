import { gunzipSync } from 'node:zlib';
import type { AppError } from '@bomtrail/messages';
import {
  createAcceptance,
  deleteAcceptance,
  findAffected,
  groupVulnerabilities,
  listAcceptances,
  listActive,
  listSbomVulnerabilities,
  listVulnerabilities,
  summariseActive,
  type AcceptanceView,
  type DecisionActor,
  type BriefVulnerability,
  type SbomReference,
} from '@bomtrail/messages';
import { createLeases } from '@bomtrail/mongo';
import { eventually } from '@bomtrail/testkit';
import { v7 as newId } from 'uuid';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
  // Whoever contains its lease keeps the sweep from running: what is read here is right without it.
  const leases = createLeases(harness.db);
  await eventually(async () => (await leases.acquire('sweep:expired-acceptances', 600)) !== null, {
    what: 'the sweep is held',
  });
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const page = { page: 1, per_page: 50 };
const acceptances = () => harness.db.collection<AcceptanceDocument>('acceptances');
const refused = (code: string) => expect.objectContaining({ code });

async function vulnerabilityOf(service: TestService, origin = 'GHSA-1'): Promise<string> {
  return (
    (await service.documents()).find((vulnerability) => vulnerability.origin === origin)?._id ?? ''
  );
}

interface Given {
  project_id?: string;
  service_id?: string | null;
  vulnerability_id?: string;
  expires_at?: string | null;
  created_by?: DecisionActor;
}

async function accept(service: TestService, given: Given = {}): Promise<AcceptanceView> {
  const scope = { project_id: service.project_id, service_id: null, expires_at: null };
  const vulnerability_id = given.vulnerability_id ?? (await vulnerabilityOf(service));
  const request = { ...scope, reason: 'r', ...given, vulnerability_id };
  return (await harness.bus.request(createAcceptance, request)).body;
}

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const letExpire = (id: string) =>
  acceptances().updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 60_000) } });

async function acceptedOnce(): Promise<{
  service: TestService;
  sbom: SbomReference;
  id: string;
}> {
  const service = new TestService(harness);
  const sbom = await service.scanned(harness.newSet(lodash));
  const { id } = await accept(service, { expires_at: inAnHour() });
  return { service, sbom, id };
}

async function openIn({ sbom_id, service_id, seq, digest }: SbomReference): Promise<number> {
  const requested = { sbom_id, service_id, seq, digest };
  const { attachment } = await harness.bus.request(listSbomVulnerabilities, requested);
  const briefs = JSON.parse(gunzipSync(attachment ?? '').toString()) as BriefVulnerability[];
  return briefs.filter(({ status }) => status === 'open').length;
}

describe('from the moment at which an acceptance expires', () => {
  const reads: [string, (service: TestService, sbom: SbomReference) => Promise<unknown>][] = [
    ['the active list', async (service) => (await service.activeList()).length],
    [
      'the active list of all projects',
      async (service) => {
        const query = { ...page, per_page: 200, sort: 'first_seen_at', order: 'desc' } as const;
        const { items } = (await harness.bus.request(listActive, query)).body;
        return items.filter(({ project_id }) => project_id === service.project_id).length;
      },
    ],
    [
      'the summary',
      async ({ project_id }) =>
        (await harness.bus.request(summariseActive, { project_id })).body.total,
    ],
    [
      'the search by an id',
      async ({ project_id }) => {
        const { body } = await harness.bus.request(findAffected, {
          ...page,
          id: 'CVE-1',
          project_id,
        });
        return body.items.filter(({ status }) => status === 'open').length;
      },
    ],
    [
      'the summary of some projects',
      async ({ project_id }) =>
        (await harness.bus.request(summariseActive, { project_id: [project_id, newId()] })).body
          .total,
    ],
    [
      'the list of all states',
      async ({ project_id }) => {
        const order = { sort: 'first_seen_at', order: 'desc' } as const;
        const query = { ...page, ...order, project_id, statuses: ['open' as const] };
        return (await harness.bus.request(listVulnerabilities, query)).body.total;
      },
    ],
    [
      'the groups',
      async ({ project_id }) => {
        const query = { ...page, project_id, statuses: ['open' as const] };
        const request = { ...query, group_by: 'package' as const };
        return (await harness.bus.request(groupVulnerabilities, request)).body.total;
      },
    ],
    ['the verdict of an SBOM', async (_line, sbom) => openIn(sbom)],
  ];

  test.each(reads)(
    '%s shows its vulnerability as open, whatever sweeps do',
    async (_name, read) => {
      const { service, sbom, id } = await acceptedOnce();
      expect(await read(service, sbom)).toBe(0);
      await letExpire(id);
      expect(await read(service, sbom)).toBe(1);
    },
  );

  test('every one of many readers at once sees it open, in whichever process', async () => {
    const { service, id } = await acceptedOnce();
    await letExpire(id);
    const lists = await Promise.all(Array.from({ length: 40 }, () => service.activeList()));
    expect(lists.map((items) => items.length)).toEqual(lists.map(() => 1));
  });

  test('every one of many verdicts at once has it open, in whichever process', async () => {
    const { sbom, id } = await acceptedOnce();
    await letExpire(id);
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => openIn(sbom)));
    expect(verdicts).toEqual(verdicts.map(() => 1));
  });

  test('a reader sees it open if a process ended between deactivating it and updating the vulnerabilities', async () => {
    const { service, id } = await acceptedOnce();
    await acceptances().updateOne({ _id: id }, { $set: { lapsed: true, pending: 'apply' } });
    await harness.db
      .collection<{ _id: string }>('acceptance_epochs')
      .updateOne({ _id: service.project_id }, { $inc: { epoch: 1 } });
    expect(await service.activeList()).toHaveLength(1);
    expect(await acceptances().findOne({ _id: id })).toMatchObject({ lapsed: true, pending: null });
  });

  test('a reader sees it open where a process ended while it was revoked', async () => {
    const { service, id } = await acceptedOnce();
    await letExpire(id);
    await acceptances().updateOne({ _id: id }, { $set: { pending: 'revert' } });
    expect(await service.activeList()).toHaveLength(1);
    expect(await acceptances().findOne({ _id: id })).toBeNull();
  });

  test('it stays expired for good, also where a clock says otherwise', async () => {
    const { service, id } = await acceptedOnce();
    await letExpire(id);
    expect(await service.activeList()).toHaveLength(1);
    await acceptances().updateOne(
      { _id: id },
      { $set: { expires_at: new Date(Date.now() + 1e7) } },
    );
    await service.scanned(harness.newSet('lodash@1.1.0 GHSA-1 CVE-1'));
    expect(await service.activeList()).toHaveLength(1);
  });

  test('the same vulnerability can be accepted again, once, and both stay listed', async () => {
    const { service, id } = await acceptedOnce();
    await expect(accept(service)).rejects.toEqual(refused('acceptance_exists'));
    await letExpire(id);
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => accept(service)));
    const given = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    const codes = tries.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as AppError).code] : [],
    );
    expect(given).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['acceptance_exists']));
    const list = { ...page, project_id: service.project_id };
    const { items } = (await harness.bus.request(listAcceptances, list)).body;
    expect(items.map((one) => one.id)).toEqual([given[0], id]);
    expect(await service.activeList()).toEqual([]);
    await harness.bus.request(deleteAcceptance, { acceptance_id: id });
    expect(await service.activeList()).toEqual([]);
    await harness.bus.request(deleteAcceptance, { acceptance_id: given[0] ?? '' });
    expect(await service.activeList()).toHaveLength(1);
  });
});

test('an acceptance says what it accepts, by which key and when it was given', async () => {
  const service = new TestService(harness);
  await service.scanned(harness.newSet(lodash, 'vue@1.0.0 GHSA-3'));
  const created_by = { key_id: newId(), key_prefix: 'ci0webshop00', name: null };
  const retained = await accept(service, { created_by });
  const other = await accept(service, {
    vulnerability_id: await vulnerabilityOf(service, 'GHSA-3'),
  });
  const list = { ...page, project_id: service.project_id };
  const { items } = (await harness.bus.request(listAcceptances, list)).body;
  expect(items).toEqual([
    { ...other, created_by: null, cve_id: 'GHSA-3', package_name: 'vue' },
    { ...retained, created_by, cve_id: 'CVE-1', package_name: 'lodash' },
  ]);
});

describe('the alias set of an acceptance', () => {
  test('rejects every other acceptance of its scope that shares an alias, and no others', async () => {
    const service = new TestService(harness);
    const set = ['a@1.0.0 GHSA-1 CVE-1', 'b@1.0.0 GHSA-2 CVE-1', 'c@1.0.0 GHSA-3 CVE-3'];
    await service.scanned(harness.newSet(...set));
    await accept(service);
    const again = async (origin: string) =>
      accept(service, { vulnerability_id: await vulnerabilityOf(service, origin) });
    await expect(again('GHSA-2')).rejects.toEqual(refused('acceptance_exists'));
    expect((await again('GHSA-3')).vulnerability_id).toBe(await vulnerabilityOf(service, 'GHSA-3'));
  });

  test('still applies to it over package bumps and after its alias groups have become one, by either id', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet('lodash@1.0.0 GHSA-1', 'lodash@1.0.0 CVE-1');
    const scan = await service.scanned(digest);
    const [older, younger] = [
      await vulnerabilityOf(service, 'GHSA-1'),
      await vulnerabilityOf(service, 'CVE-1'),
    ];
    await accept(service);
    expect((await service.activeList()).map(({ id }) => id)).toEqual([younger]);
    harness.setScan(digest, 'lodash@1.0.0 GHSA-1 CVE-1');
    harness.revisions.set(digest, 2);
    await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    expect(await service.activeList()).toEqual([]);
    for (const vulnerability_id of [older, younger])
      await expect(accept(service, { vulnerability_id })).rejects.toEqual(
        refused('acceptance_exists'),
      );
    for (let bump = 1; bump <= 5; bump++) {
      const newer = harness.newSet(`lodash@1.${bump}.0 GHSA-1 CVE-1`);
      harness.revisions.set(newer, 2);
      await service.scanned(newer);
      expect(await service.activeList()).toEqual([]);
    }
  });
});
