import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { handles, consumes, openEventTransport, packLines } from '@bomtrail/messaging';
import { startService, type RunningService } from '@bomtrail/service-runtime';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
  serviceSettings,
} from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { compose } from '../compose';
import { settings } from '../config';
import { finding, reportOf, sharedReportOf, type FakeFinding, type FakeSet } from './findings';

/** Reconciler processes on real servers, with a fake catalog and scanner. */
export interface TestReconciler {
  servers: TestServers;
  bus: TestBus;
  db: Db;
  /** Findings by component set; missing sets were never evaluated. */
  scans: Map<string, readonly FakeFinding[]>;
  /** Advisory revision by component set; default 1. */
  revisions: Map<string, number>;
  /** The handled requests for findings of several component sets. */
  findingsRequests: { digests: string[]; packages: string[] | null }[];
  /** Maximum number of sets in one response. */
  setsPerResponse: number;
  /** Maximum number of findings of one set in one response; larger sets are served in pages only. */
  findingsPerResponse: number;
  /** Weight of each finding when packages are divided into parts; a large value makes each package a part. */
  findingWeight: number;
  /** Runs before each response. If it fails for a set, the set is missing in the response. */
  beforeScanResponse: (digest: string) => Promise<void>;
  /** The scores of the risk feeds by CVE; a change needs the next revision. */
  riskScores: Map<string, messages.RiskScores & { revision: number }>;
  riskRevision: number;
  /** The projects of the catalog, with their services. */
  projects: Map<string, Set<string>>;
  /** The owners of services; others have none. */
  owners: Map<string, string>;
  /** The reconciled SBOMs. */
  reconciled: { sbom_id: string; revision: number; attempt: number }[];
  /** The completed re-scans. */
  packageRevisions: messages.CompletedRescan[];
  /** Defines the findings of a new component set; returns its digest. */
  newSet(...findings: (string | FakeFinding)[]): string;
  setScan(digest: string, ...findings: (string | FakeFinding)[]): void;
  /** Publishes finished scans and waits until they are reconciled. */
  finish(...scans: messages.SbomReference[]): Promise<void>;
  /** Waits until no message is pending. */
  finished(): Promise<void>;
  /** A metric, summed over samples and processes. */
  metric(name: string): Promise<number>;
  startProcess(): Promise<void>;
  stopProcesses(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param options `processes`: how many reconcilers share the servers; `sweepRate`: how many times as often their sweeps
 *   run, for tests of what sweeps take up
 */
export async function startReconciler({
  processes = 1,
  sweepRate = 1,
} = {}): Promise<TestReconciler> {
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  const mongo = await new MongoClient(servers.mongoUri).connect();
  const running: RunningService[] = [];
  const reconciled: TestReconciler['reconciled'] = [];
  const reconciledSubscription = openEventTransport(
    bus.connection,
    consumes(
      { ...messages.catalogReconciled, durable: 'test-reconciled' },
      { handle: async (event) => void reconciled.push(event) },
    ),
  );
  const packageRevisions: messages.CompletedRescan[] = [];
  const rescanSubscription = openEventTransport(
    bus.connection,
    consumes(
      { ...messages.catalogRescans, durable: 'test-rescans' },
      { handle: async (event) => void packageRevisions.push(event) },
    ),
  );
  const test: TestReconciler = {
    servers,
    bus,
    reconciled,
    packageRevisions,
    db: mongo.db(`${servers.prefix}reconciler`),
    scans: new Map(),
    revisions: new Map(),
    findingsRequests: [],
    setsPerResponse: messages.maxSetsRead,
    findingsPerResponse: Number.POSITIVE_INFINITY,
    findingWeight: 1,
    projects: new Map(),
    owners: new Map(),
    riskScores: new Map(),
    riskRevision: 0,
    beforeScanResponse: async () => {},
    newSet(...findings) {
      const digest = createHash('sha256').update(randomUUID()).digest('hex');
      this.setScan(digest, ...findings);
      return digest;
    },
    setScan(digest, ...findings) {
      const fakeFindings = findings.map((one) => (typeof one === 'string' ? finding(one) : one));
      this.scans.set(digest, fakeFindings);
    },
    async finish(...scans) {
      await Promise.all(scans.map((scan) => bus.publish(messages.scanCompleted, scan)));
      const done = (scan: messages.SbomReference): boolean =>
        reconciled.some(
          (one) =>
            one.sbom_id === scan.sbom_id &&
            one.revision === scan.revision &&
            one.attempt === scan.attempt,
        );
      await eventually(() => scans.every(done), {
        what: `${scans.length} results are applied`,
      });
    },
    async finished() {
      const idle = async (): Promise<boolean> => {
        const { manager } = bus.connection;
        const { durable, filterSubject } = messages.reconcilerUploads;
        // The consumer may not know yet of a message that the stream has stored.
        const last = await manager.streams.getMessage('EVENTS', { last_by_subj: filterSubject });
        const consumer = await manager.consumers.info('EVENTS', durable);
        const isDelivered = consumer.delivered.stream_seq >= (last?.seq ?? 0);
        return isDelivered && consumer.num_pending + consumer.num_ack_pending === 0;
      };
      await eventually(idle, { what: 'every message is handled' });
    },
    async metric(name) {
      const texts = await Promise.all(
        running.map(async ({ internalPort }) =>
          (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text(),
        ),
      );
      const services = texts.flatMap((text) => text.split('\n'));
      return services
        .filter((service) => service.startsWith(`${name}{`) || service.startsWith(`${name} `))
        .reduce((sum, service) => sum + Number(service.slice(service.lastIndexOf(' '))), 0);
    },
    async startProcess() {
      const service = await startService(
        { name: 'reconciler', settings, compose },
        settings.parse({
          ...serviceSettings(servers),
          BOMTRAIL_TEST_SWEEP_RATE: sweepRate,
        }),
      );
      running.push(service);
    },
    async stopProcesses() {
      await Promise.all(running.splice(0).map((service) => service.stop()));
    },
    async stop() {
      await test.stopProcesses();
      await Promise.all([reconciledSubscription.stop(), rescanSubscription.stop()]);
      await bus.close();
      await mongo.close();
      await servers.stop();
    },
  };
  fakeSurroundings(test);
  for (let count = 0; count < processes; count++) await test.startProcess();
  return test;
}

function fakeSurroundings(test: TestReconciler): void {
  fakeFindingsOfSets(test);
  fakeFindingPages(test);
  fakeMatches(test);
  fakeRiskScores(test);
  fakeOwners(test);
  test.bus.serve(
    handles(messages.checkScope, async ({ project_id, service_id }) => {
      const services = test.projects.get(project_id);
      if (!services) throw new AppError('project_not_found');
      if (service_id !== null && !services.has(service_id)) throw new AppError('service_not_found');
      return { body: { service_id: service_id } };
    }),
  );
}

function fakeOwners({ bus, projects, owners }: TestReconciler): void {
  bus.serve(
    handles(messages.findOwnedServices, async ({ owner, project_id, after }) => {
      const all = typeof project_id === 'string' ? [...(projects.get(project_id) ?? [])] : [];
      const owned = all.filter((id) => owners.get(id) === owner && id > (after ?? '')).sort();
      // One at a time, so that each use has to read on.
      return { body: { service_ids: owned.slice(0, 1), complete: owned.length <= 1 } };
    }),
  );
}

function fakeRiskScores(test: TestReconciler): void {
  test.bus.serve(
    handles(messages.readRiskScores, async ({ cves }) => ({
      body: {
        revision: test.riskRevision,
        scores: cves.flatMap((cve) => test.riskScores.get(cve) ?? []),
      },
    })),
  );
  test.bus.serve(
    handles(messages.listRiskChanges, async ({ after_revision, after_cve }) => ({
      body: {
        revision: test.riskRevision,
        scores: [...test.riskScores.values()].filter(
          ({ cve, revision }) => revision > after_revision && cve > after_cve,
        ),
        next: null,
      },
    })),
  );
}

function fakeFindingsOfSets(test: TestReconciler): void {
  test.bus.serve(
    handles(messages.readFindingsOfSets, async ({ digests: requested, packages }) => {
      const digests = requested.slice(0, test.setsPerResponse);
      test.findingsRequests.push({ digests, packages });
      const evaluated: FakeSet[] = [];
      let answered = digests.length;
      for (const digest of digests) {
        const isThere = await test.beforeScanResponse(digest).then(
          () => true,
          () => false,
        );
        const findings = test.scans.get(digest);
        const revision = test.revisions.get(digest) ?? 1;
        if (!isThere || !findings) continue;
        if (wantedOf(findings, packages).length > test.findingsPerResponse) {
          answered = digests.indexOf(digest);
          break;
        }
        evaluated.push({ digest, revision, findings });
      }
      return {
        body: { answered },
        attachment: gzipSync(JSON.stringify(sharedReportOf(evaluated, packages))),
      };
    }),
  );
}

function wantedOf(
  findings: readonly FakeFinding[],
  packages: readonly string[] | null,
): FakeFinding[] {
  return findings.filter(({ finding: own }) => packages?.includes(own.package_key) ?? true);
}

/** Matches a document whose only component is named by the digest of its findings. */
function fakeMatches(test: TestReconciler): void {
  test.bus.serve(
    handles(messages.matchComponents, async (_roots, attachment) => {
      const [{ name: digest = '' } = {}] = JSON.parse(gunzipSync(attachment ?? '').toString()) as {
        name?: string;
      }[];
      const byKey = (a: FakeFinding, b: FakeFinding): number =>
        a.finding.package_key < b.finding.package_key ? -1 : 1;
      const findings = [...(test.scans.get(digest) ?? [])].sort(byKey);
      async function* lines(): AsyncGenerator<string> {
        for (let at = 0; at < findings.length; at += 2)
          yield JSON.stringify(reportOf(findings.slice(at, at + 2)));
      }
      const coverage = { components: 1, evaluated: 1, undetermined: {} };
      const revision = test.revisions.get(digest) ?? 1;
      return {
        body: { coverage, advisory_data: 'feed', revision },
        attachment: await packLines(lines()),
      };
    }),
  );
}

/** Serves pages of two findings. */
function fakeFindingPages(test: TestReconciler): void {
  const perPage = 2;
  test.bus.serve(
    handles(messages.readFindingsPage, async ({ digest, packages, after }) => {
      await test.beforeScanResponse(digest);
      const findings = test.scans.get(digest);
      if (!findings) throw new AppError('sbom_not_found');
      const revision = test.revisions.get(digest) ?? 1;
      const [at = 0, of = revision] = after?.split(' ').map(Number) ?? [];
      const wanted = wantedOf(findings, packages);
      const restart = of !== revision;
      const page = restart ? [] : wanted.slice(at, at + perPage);
      const isLast = restart || at + perPage >= wanted.length;
      return {
        body: { revision, restart, next: isLast ? null : `${at + perPage} ${revision}` },
        attachment: gzipSync(JSON.stringify(reportOf(page))),
      };
    }),
  );
  test.bus.serve(
    handles(messages.listFindingPackages, async ({ digests }) => {
      const counts: messages.FindingPackages = {};
      for (const digest of digests) {
        await test.beforeScanResponse(digest);
        const findings = test.scans.get(digest);
        if (!findings) throw new AppError('sbom_not_found');
        for (const { finding: own } of findings)
          counts[own.package_key] = (counts[own.package_key] ?? 0) + test.findingWeight;
      }
      const revisions = digests.map((digest) => test.revisions.get(digest) ?? 1);
      return {
        body: { revision: Math.min(...revisions) },
        attachment: gzipSync(JSON.stringify(counts)),
      };
    }),
  );
}
