import { randomUUID } from 'node:crypto';
import {
  AppError,
  createAcceptance,
  deleteAcceptance,
  listActive,
  notifierChanges,
  summariseActive,
} from '@bomtrail/messages';
import { consumes, openEventTransport } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import type { AcceptanceDocument, TrackedVulnerabilityDocument } from './store/documents';
import { acceptanceOf } from '../testing/deletion-helpers';
import { storeServices } from '../testing/many-services';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

/** More are a measurement: its times are printed. */
const services = Number(process.env['BOMTRAIL_TEST_LINES'] ?? 150);
const isMeasured = services > 1_000;

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

/** The work, with its time and the CPU time of both processes and this test together. */
async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  if (isMeasured) {
    const wall = Math.round(performance.now() - begun);
    process.stdout.write(`${what}: ${wall} ms, CPU ${Math.round((user + system) / 1000)} ms\n`);
  }
  return result;
}

/** Asks again where the work took longer than a request: that says nothing, which is right. */
async function patiently<RpcResponse>(send: () => Promise<RpcResponse>): Promise<RpcResponse> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'service_unavailable') throw error;
    }
  }
}

async function openOf(project_id: string): Promise<number[]> {
  const page = { page: 1, per_page: 1, sort: 'cvss_score', order: 'desc' } as const;
  const [list, summary] = await Promise.all([
    patiently(() => harness.bus.request(listActive, { ...page, project_id })),
    patiently(() => harness.bus.request(summariseActive, { project_id })),
  ]);
  return [list.body.total, summary.body.total];
}

const other = ['axios@1.0.0 GHSA-2', 'vue@1.0.0 GHSA-3'];
const vulnerabilityWith = async (project_id: string, origin: string): Promise<string> => {
  const vulnerabilities =
    harness.db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  return (await vulnerabilities.findOne({ project_id, origin }))?._id ?? '';
};

test('an acceptance for a whole project, and its end, reach every service, and each change is published', async () => {
  const project_id = randomUUID();
  harness.projects.set(project_id, new Set());
  const vulnerabilities = ['lodash@1.0.0 GHSA-1', ...other];
  const ids = await storeServices(harness, project_id, {
    services,
    vulnerabilities,
    status: 'open',
  });
  const reported = new Set<string>();
  const hearing = openEventTransport(
    harness.bus.connection,
    consumes(
      { ...notifierChanges, durable: 'test-changed' },
      {
        handle: async ({ service_id, state_version }) =>
          void reported.add(`${service_id} ${state_version}`),
      },
    ),
  );
  const all = [services * 3, services * 3];
  const without = [services * 2, services * 2];
  expect(await openOf(project_id)).toEqual(all);
  const vulnerability_id = await vulnerabilityWith(project_id, 'GHSA-1');
  const given = { project_id, service_id: null, vulnerability_id, reason: 'r' };
  const accept = async (expires_at: string | null): Promise<string> =>
    (await harness.bus.request(createAcceptance, { ...given, expires_at })).body.id;

  const first = await timed('accept', () => accept(null));
  expect(await openOf(project_id)).toEqual(without);
  await timed('take back', () => harness.bus.request(deleteAcceptance, { acceptance_id: first }));
  expect(await openOf(project_id)).toEqual(all);

  const second = await accept(new Date(Date.now() + 3_600_000).toISOString());
  expect(await openOf(project_id)).toEqual(without);
  const acceptances = harness.db.collection<AcceptanceDocument>('acceptances');
  await acceptances.updateOne({ _id: second }, { $set: { expires_at: new Date(0) } });
  const reads = await timed('first reads after an expiry', () =>
    Promise.all(Array.from({ length: 10 }, () => openOf(project_id))),
  );
  expect(reads).toEqual(reads.map(() => all));
  // Accepted, open, accepted, open: each a version of the service state.
  const versions = [2, 3, 4, 5];
  await eventually(
    () => ids.every((id) => versions.every((version) => reported.has(`${id} ${version}`))),
    { what: 'every change of every service is reported' },
  );
  await hearing.stop();
});

test('acceptances that expire at the same moment are applied together', async () => {
  const project_id = randomUUID();
  const many = isMeasured ? services : 400;
  const vulnerabilities = Array.from({ length: many }, (_, n) => `p${n % 50}@1.0.0 GHSA-${n}`);
  const acceptances = harness.db.collection<AcceptanceDocument>('acceptances');
  await acceptances.insertMany(
    vulnerabilities.map((_, n) => ({
      ...acceptanceOf({ project_id }, randomUUID()),
      identity: [`GHSA-${n}`],
      expires_at: new Date(0),
      pending: null,
    })),
  );
  await storeServices(harness, project_id, { services: 2, vulnerabilities, status: 'accepted' });
  const reads = await timed(`first reads after ${many} expired`, () =>
    Promise.all(Array.from({ length: 10 }, () => openOf(project_id))),
  );
  expect(reads.map(([total]) => total)).toEqual(reads.map(() => many * 2));
  expect(await acceptances.countDocuments({ project_id, lapsed: true, pending: null })).toBe(many);
});
