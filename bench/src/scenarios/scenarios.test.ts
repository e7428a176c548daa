import { createFleet } from '../fleet/create-fleet';
import { createReleaseFleet } from '../fleet/release-fleet';
import { createApi } from '../load/api';
import { documentBytes } from '../sboms/cyclonedx-document';
import { generatedDocument } from '../sboms/generated-document';
import { createSbomMaker } from '../sboms/variants';
import { startFakeService, type FakeBehaviour, type FakeService } from '../testing/fake-service';
import { reportScenario, runScenario, type ScenarioReport } from './run-scenario';
import { scenarios, sharedScenarios } from './registry';
import type { SharedScenario } from './scenario';

const size = { uploads: 5, clients: 2 };

let service: FakeService;
let scans: number;
let stop: (() => Promise<void>)[] = [];

beforeEach(() => (scans = 0));

afterEach(async () => {
  await Promise.all(stop.map((end) => end()));
  stop = [];
});

async function run(
  scenario: SharedScenario | undefined,
  behaviour: FakeBehaviour = {},
): Promise<ScenarioReport> {
  service = await startFakeService(behaviour);
  const { signal } = new AbortController();
  const api = createApi({ baseUrl: service.baseUrl, apiKey: 'key', signal });
  const { close } = service;
  stop.push(async () => {
    api.close();
    await close();
  });
  const base = generatedDocument(30);
  const sboms = createSbomMaker(base, documentBytes(base));
  const reference = { vulnerabilities: 3, advisoryData: 'feed' };
  const fleetDeps = { api, sboms, reference, signal, clients: size.clients };
  const context = {
    api,
    signal,
    sboms,
    reference,
    openTransport: () =>
      Promise.resolve({ prepareUpload: api.prepareUpload, close: () => Promise.resolve() }),
    fleetOf: createFleet(fleetDeps),
    releaseFleetOf: createReleaseFleet(fleetDeps),
    countScans: () => Promise.resolve(scans),
    processes: () => [],
    storedBytes: () => Promise.resolve(0),
    untilIdle: () => Promise.resolve(),
  };
  if (scenario === undefined) throw new Error('no such scenario');
  const repetition = { size, warmUpUploads: 1, runs: 2 };
  return reportScenario(scenario, repetition, await runScenario(scenario, context, repetition));
}

function named(name: string): SharedScenario | undefined {
  return sharedScenarios.find((scenario) => scenario.name === name);
}

/** Those whose uploads are all checked against the reference. */
const loads = sharedScenarios.filter(({ mostUploads }) => mostUploads === undefined);

test('names of scenarios are unique', () => {
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

describe.each(loads.map((scenario) => [scenario.name, scenario] as const))(
  '%s',
  (_name, scenario) => {
    test('warms up, runs, and gives the least, middle and largest of its figures', async () => {
      const report = await run(scenario);
      expect(service.documents.length).toBeGreaterThanOrEqual(1 + 2 * 5);
      expect(report.runs).toHaveLength(2);
      expect(Object.keys(report.summary)).toContain('cpu_seconds_per_sbom');
      for (const { min, median, max } of Object.values(report.summary)) {
        expect(min).toBeLessThanOrEqual(median);
        expect(median).toBeLessThanOrEqual(max);
        expect(Number.isFinite(max)).toBe(true);
      }
      // One more: the single uploads beside the backlog.
      expect(service.mostParallel()).toBeLessThanOrEqual(3);
    });

    test('fails when one SBOM has another number of vulnerabilities', async () => {
      // One more here and one fewer there: the sum over the project is right.
      const uneven = (index: number): number => (index === 3 ? 4 : index === 4 ? 2 : 3);
      await expect(run(scenario, { vulnerabilities: uneven })).rejects.toThrow('wrong result');
    });

    test('fails when an upload is refused', async () => {
      const behaviour = { uploadStatus: (index: number) => (index === 4 ? 503 : 201) };
      await expect(run(scenario, behaviour)).rejects.toThrow('answered 503');
    });

    test('fails when a scan failed', async () => {
      const behaviour = { scanStatus: (i: number) => (i === 2 ? 'failed' : 'scanned') as 'failed' };
      await expect(run(scenario, behaviour)).rejects.toThrow('is failed');
    });
  },
);

describe('what is uploaded', () => {
  test('a backlog of new sets and idle uploads have a component set of their own each', async () => {
    for (const name of ['backlog-new-sets', 'idle-latency']) {
      await run(named(name));
      const sets = service.documents.map((document) => versionsIn(document));
      expect(new Set(sets).size).toBe(11);
    }
  });

  test('a nightly fleet has the same packages in different documents', async () => {
    await run(named('nightly-fleet'));
    const { documents } = service;
    expect(new Set(documents).size).toBe(documents.length);
    expect(new Set(documents.map(versionsIn)).size).toBe(1);
  });

  test('a release moves 3 to 20 packages of a service, and findings come and go', async () => {
    await run(named('fleet-release'));
    const sets = service.documents.map((document) => versionsIn(document).split(' '));
    const [base = []] = sets;
    // Two documents find the fixable modules, the warm-up makes a service and its first release.
    const firstReleases = [sets[3], ...sets.slice(9, 13)];
    for (const purls of firstReleases) {
      const moved = purls?.filter((purl) => !base.includes(purl)) ?? [];
      expect(moved.length).toBeGreaterThanOrEqual(3);
      expect(moved.length).toBeLessThanOrEqual(20);
    }
    const fixed = sets.slice(8).map((purls) => purls.filter((purl) => purl.includes('.999.')));
    expect(new Set(fixed.map(({ length }) => length)).size).toBeGreaterThan(1);
    expect(new Set(sets.slice(8).map(String)).size).toBe(10);
  });

  test('identical bytes are identical', async () => {
    await run(named('identical-bytes-new-services'));
    expect(new Set(service.documents).size).toBe(1);
  });
});

test('known bytes that are scanned again are a failure', async () => {
  const scanning = { ...named('identical-bytes') } as SharedScenario;
  const begun = run({
    ...scanning,
    run: (context, of) =>
      scanning.run({ ...context, countScans: () => Promise.resolve(scans++) }, of),
  });
  await expect(begun).rejects.toThrow('known bytes led to 1 scans');
});

function versionsIn(document: string): string {
  const { components } = JSON.parse(document) as { components: { purl: string }[] };
  return components.map(({ purl }) => purl).join(' ');
}
