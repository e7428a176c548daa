import { setTimeout } from 'node:timers/promises';
import {
  createAcceptance,
  deleteAcceptance,
  listActive,
  rescanRequested,
  severities,
  summariseActive,
  type SbomReference,
} from '@bomtrail/messages';
import { eventually, sequence, shuffled } from '@bomtrail/testkit';
import { createDeletionStore } from '../deletion/store/deletion-store';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from './store/documents';
import { createListStore, type ListStore } from '../queries/store/list-store';
import { createStatusCounts } from './store/status-counts';
import { finding, type FakeFinding } from '../testing/findings';
import { deleteProject, deleteServiceOf } from '../testing/deletion-helpers';
import { TestService } from '../testing/service';
import {
  watchVulnerabilities,
  type VulnerabilityHistories,
} from '../testing/vulnerability-histories';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

/** More of them: `BOMTRAIL_TEST_COUNTED_STEPS=2000`, others: `BOMTRAIL_TEST_SEED=2`. */
const steps = Number(process.env['BOMTRAIL_TEST_COUNTED_STEPS'] ?? 20);
const draw = sequence(Number(process.env['BOMTRAIL_TEST_SEED'] ?? 1));
const stepsAtOnce = 3;
const watchEveryMs = 20;
const draws = <Value>(values: readonly Value[]): Value => values[draw(values.length)] as Value;

let harness: TestReconciler;
let lists: ListStore;
let histories: VulnerabilityHistories;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
  const database = { db: harness.db, client: harness.db.client, isUp: async () => true };
  lists = createListStore(database, createDeletionStore(database));
  histories = await watchVulnerabilities(harness.db);
});
afterAll(async () => {
  await histories?.stop();
  await harness?.stop();
});

interface Scenario {
  service: TestService;
  scans: SbomReference[];
}

let revision = 1;

function someFindings() {
  const texts = ['a GHSA-1', 'a GHSA-2 CVE-2', 'b GHSA-1', 'b CVE-2', 'c GHSA-3', 'd PYSEC-4'];
  return shuffled(texts, draw)
    .slice(0, draw(texts.length + 1))
    .map((text) => finding(text.replace(' ', '@1 '), { severity: draws(severities) }));
}

const acceptances = () => harness.db.collection<AcceptanceDocument>('acceptances');

/** What can happen to a service; each leaves it as it was where it does not apply. */
const events: Record<string, (scenario: Scenario) => Promise<unknown>> = {
  async upload({ service, scans }) {
    scans.push(await service.scanned(harness.newSet(...someFindings())));
  },
  async 'change of an advisory'({ scans }) {
    const scan = scans[draw(scans.length)];
    if (!scan) return;
    revision += 1;
    const ofThis = revision;
    harness.setScan(scan.digest, ...someFindings());
    for (const digest of harness.scans.keys()) harness.revisions.set(digest, ofThis);
    await harness.finish({ ...scan, lane: 'rescan', revision: ofThis });
  },
  async 'delete of an SBOM'({ service, scans }) {
    const [scan] = scans.splice(draw(scans.length), 1);
    if (scan) await service.remove(scan);
  },
  async acceptance({ service }) {
    const vulnerability = draws(
      (await service.documents()).filter(({ status }) => status === 'open'),
    );
    if (!vulnerability) return;
    const { project_id, service_id } = service;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const given = harness.bus.request(createAcceptance, {
      project_id,
      service_id: draws([null, service_id]),
      vulnerability_id: vulnerability._id,
      reason: 'r',
      expires_at: inAnHour,
    });
    // Another service may have given the same one at the same moment, or a delete may be ahead.
    await given.catch(() => {});
  },
  async 'end of an acceptance'({ service }) {
    const [one] = await acceptances().find({ project_id: service.project_id }).toArray();
    if (!one) return;
    await harness.bus.request(deleteAcceptance, { acceptance_id: one._id }).catch(() => {});
  },
  async expiry({ service }) {
    const [one] = await acceptances()
      .find({ project_id: service.project_id, lapsed: false })
      .toArray();
    if (!one) return;
    const past = { expires_at: new Date(Date.now() - 1) };
    await acceptances().updateOne({ _id: one._id, lapsed: false }, { $set: past });
  },
  async 'delete of a service'(scenario) {
    while (await deleteServiceOf(harness, scenario.service));
    Object.assign(scenario, {
      service: new TestService(harness, scenario.service.project_id),
      scans: [],
    });
  },
};

test(`the numbers are those of the rows after each of ${steps} steps of several lines at once, and at every moment between`, async () => {
  const scenario: Scenario[] = [];
  const addProject = (): void => {
    const service = new TestService(harness);
    const more = [service, new TestService(harness, service.project_id)];
    scenario.push(...more.map((one) => ({ service: one, scans: [] })));
  };
  for (let project = 0; project < 3; project++) addProject();
  let isOver = false;
  const watching = (async () => {
    for (let checks = 0; ; checks++) {
      if (isOver) return checks;
      const order = { sort: 'severity', order: 'asc' } as const;
      const page = await lists.page({ statuses: ['open'] }, order, { skip: 0, limit: 1000 });
      expect(page.items).toHaveLength(page.total);
      await setTimeout(watchEveryMs);
    }
  })();
  // Awaited at the end.
  watching.catch(() => {});
  try {
    for (let step = 0; step < steps; step++) {
      const selection = shuffled(scenario, draw).slice(0, stepsAtOnce);
      const kinds = selection.map(() => draws(['upload', 'upload', ...Object.keys(events)]));
      await Promise.all(selection.map(async (one, index) => events[kinds[index] ?? '']?.(one)));
      if (step % 10 === 9) {
        const { project_id } = draws(scenario).service;
        const others = scenario.filter(({ service }) => service.project_id !== project_id);
        scenario.splice(0, scenario.length, ...others);
        while (await deleteProject(harness, project_id));
        addProject();
      }
      if (step % 4 === 3) await changeEverywhere(scenario);
      await expectNumbers(scenario, `step ${step}: ${kinds.join()}`);
    }
  } finally {
    isOver = true;
  }
  expect(await watching).toBeGreaterThan(0);
}, 600_000);

test('and the alert periods of every written vulnerability follow from its history', async () => {
  const { writes, wrong } = await histories.check();
  expect(wrong).toEqual([]);
  expect(writes).toBeGreaterThan(steps);
});

/** What every service contains changes in some packages, in all services at once. */
async function changeEverywhere(scenario: readonly Scenario[]): Promise<void> {
  revision += 1;
  const packages = ['npm|a', 'npm|b'];
  const isChanged = ({ finding: { package_key } }: FakeFinding) => packages.includes(package_key);
  for (const [digest, reported] of harness.scans) {
    const retained = reported.filter((one) => !isChanged(one));
    harness.setScan(digest, ...retained, ...someFindings().filter(isChanged));
    harness.revisions.set(digest, revision);
  }
  const newest = scenario.flatMap(({ scans }) => scans.slice(-1));
  const sboms = newest.map(({ lane: _l, revision: _r, attempt: _a, ...sbom }) => sbom);
  if (sboms.length === 0) return;
  await harness.bus.publish(rescanRequested, { sboms, revision, packages });
  const reported = (id: string): boolean =>
    harness.packageRevisions.some((one) => one.revision === revision && one.sbom_ids.includes(id));
  await eventually(() => sboms.every(({ sbom_id }) => reported(sbom_id)), {
    what: 'all services are up to date',
  });
}

async function expectNumbers(scenario: readonly Scenario[], what: string): Promise<void> {
  const projects = [...new Set(scenario.map(({ service }) => service.project_id))];
  const scopes = [
    {},
    ...projects.map((project_id) => ({ project_id })),
    ...scenario.map(({ service }) => ({ service_id: service.service_id })),
  ];
  for (const scope of scopes) {
    const usual = { page: 1, per_page: 200, sort: 'cvss_score', order: 'desc' } as const;
    const { body } = await harness.bus.request(listActive, { ...usual, ...scope });
    const { body: summary } = await harness.bus.request(summariseActive, scope);
    const found = Object.fromEntries(
      severities.map((severity) => [
        severity,
        body.items.filter((item) => item.severity === severity).length,
      ]),
    );
    expect([what, scope, { ...found, total: body.items.length }]).toEqual([what, scope, summary]);
    expect([what, scope, body.total]).toEqual([what, scope, summary.total]);
  }
  const vulnerabilities =
    harness.db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = harness.db.collection<ServiceStateDocument>('service_states');
  for (const { service } of scenario) {
    const state = await states.findOne({ _id: service.service_id });
    for (const severity of severities) {
      const stored = await vulnerabilities.countDocuments({
        service_id: service.service_id,
        status: 'open',
        severity,
      });
      expect([what, severity, state?.counts?.[severity] ?? 0]).toEqual([what, severity, stored]);
    }
  }
  const counted = createStatusCounts(harness.db);
  const [sum, shares] = [await counted.sumOver({}, undefined), await counted.all()];
  for (const severity of severities)
    expect([what, severity, shares[severity] ?? 0]).toEqual([what, severity, sum[severity] ?? 0]);
}
