import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  AppError,
  catalogScanFailures,
  findUsedSets,
  reconcilerUploads,
  readComponents,
  readFindingsOfSets,
  requestRescans,
  scanCompleted,
  scanFailed,
  scanRequested,
  type ConsumerDefinition,
  type ErrorCode,
  type MessageDefinition,
} from '@bomtrail/messages';
import { handles, consumes, openEventTransport } from '@bomtrail/messaging';
import { startService, type Composition } from '@bomtrail/service-runtime';
import { connectTestBus, eventually, serviceSettings, type TestServers } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { compose } from '../compose';
import { settings, type Settings } from '../config';
import type { Component } from '../matching/domain/component';
import { ofSingleSet } from './read-findings';

/** A scanner with fakes of the services around it. */
export type ScannerUnderTest = Awaited<ReturnType<typeof startScanner>>;

/** Starts the real service on real servers, with its own database. */
export async function startScanner(
  servers: TestServers,
  options: {
    source: string;
    name: string;
    logLevel?: 'fatal' | 'info';
    /** Settings on top of the defaults of all tests. */
    settings?: Record<string, string | number>;
    /** Shorter than configuration allows, so that tests are fast. */
    seconds?: { betweenLooks?: number; betweenZips?: number; betweenSweeps?: number };
  },
) {
  const bus = await connectTestBus(servers.natsUrl);
  const sets = new Map<string, Buffer>();
  const rootsOf = new Map<string, Component[]>();
  const rejections = new Map<string, { code: ErrorCode; left: number }>();
  const requests = new Set<string>();
  bus.serve(
    handles(readComponents, async ({ digest }) => {
      const attachment = sets.get(digest);
      const failure = rejections.get(digest);
      if (failure && failure.left > 0) {
        failure.left -= 1;
        throw new AppError(failure.code);
      }
      if (!attachment) throw new AppError('sbom_not_found');
      return { body: { count: 0, roots: rootsOf.get(digest) ?? [] }, attachment };
    }),
  );
  bus.serve(
    handles(findUsedSets, async ({ digests }) => ({
      body: { used: digests.filter((digest) => sets.has(digest)) },
    })),
  );
  const closing: (() => Promise<void>)[] = [];
  const completed = listen(scanCompleted, reconcilerUploads.filterSubject);
  const failed = listen(scanFailed, catalogScanFailures.filterSubject);
  const changed: { digest: string; revision: number }[] = [];
  /** Affected packages of each published change. */
  const concerned: (string[] | null)[] = [];
  /** `changed_at` of each published change. */
  const moments: (string | null)[] = [];
  const refused = { digests: new Set<string>(), count: 0 };
  bus.serve(
    handles(requestRescans, async ({ digests, revision, changed_at, packages = null }) => {
      if (digests.some((digest) => refused.digests.has(digest))) {
        refused.count += 1;
        throw new AppError('service_unavailable');
      }
      const ours = digests.filter((digest) => isOurs({ digest }));
      changed.push(...ours.map((digest) => ({ digest, revision })));
      if (ours.length > 0) {
        moments.push(changed_at);
        concerned.push(packages);
      }
      return { body: { services: digests.length } };
    }),
  );

  function listen<Payload>(message: MessageDefinition<Payload>, filterSubject: string): Payload[] {
    const heard: Payload[] = [];
    const consumer: ConsumerDefinition<Payload> = {
      durable: `test-${options.name}-${randomUUID()}`,
      service: 'scanner',
      watchers: [],
      message,
      filterSubject,
      concurrency: 16,
      maxAttempts: 1,
    };
    const transport = consumes(consumer, {
      handle: async (payload) => {
        if (isOurs(payload as { digest?: string; sbom_id?: string })) heard.push(payload);
      },
    });
    const running = openEventTransport(bus.connection, transport);
    closing.push(() => running.stop());
    return heard;
  }

  /** Earlier scanners on the same bus left messages. */
  function isOurs({ digest, sbom_id }: { digest?: string; sbom_id?: string }): boolean {
    return digest === undefined ? requests.has(sbom_id ?? '') : sets.has(digest);
  }

  const prefix = `${servers.prefix}${options.name}_`;
  const configured = settings.parse({
    ...serviceSettings({ ...servers, prefix }),
    ...(options.logLevel ? { LOG_LEVEL: options.logLevel } : {}),
    BOMTRAIL_ADVISORY_SOURCE: options.source,
    ...options.settings,
  });
  const isIntervalGiven = options.settings?.['BOMTRAIL_FEED_INTERVAL_SECONDS'] !== undefined;
  const { betweenLooks = isIntervalGiven ? undefined : 0.2 } = options.seconds ?? {};
  const { betweenZips, betweenSweeps } = options.seconds ?? {};
  const service = await startService(
    {
      name: 'scanner',
      settings,
      compose: (kit, given: Settings) => withSweepsEvery(compose(kit, given), betweenSweeps),
    },
    {
      ...configured,
      ...(betweenLooks ? { BOMTRAIL_FEED_INTERVAL_SECONDS: betweenLooks } : {}),
      ...(betweenZips ? { BOMTRAIL_FEED_FULL_INTERVAL_SECONDS: betweenZips } : {}),
    },
  );
  const client = await new MongoClient(servers.mongoUri).connect();
  const db = client.db(`${prefix}scanner`);
  const state = () => db.collection<FeedStateView>('feed_state').findOne({});

  return {
    db,
    completed,
    failed,
    changed,
    concerned,
    moments,
    refused,
    state,
    request: bus.request,
    internalPort: service.internalPort,

    /** Adds a component set to the fake ingest; returns its digest. */
    putSet(
      components: readonly ComponentFixture[],
      roots: readonly ComponentFixture[] = [],
    ): string {
      const fill = (component: ComponentFixture) => ({
        name: component.purl ?? 'x',
        version: '',
        type: null,
        license: null,
        is_direct: true,
        ...component,
      });
      const text = JSON.stringify(components.map(fill));
      // Scanners of a test file share the bus: equal sets get distinct digests.
      const hash = createHash('sha256').update(prefix).update(text);
      const digest = hash.update(JSON.stringify(roots)).digest('hex');
      sets.set(digest, gzipSync(text));
      rootsOf.set(digest, roots.map(fill));
      return digest;
    },

    /** Makes the components of the set unreadable. */
    breakSet: (digest: string) => void sets.set(digest, Buffer.from('no gzip')),

    dropSet: (digest: string) => void sets.delete(digest),

    /**
     * Makes ingest reject the next requests for the set; the returned function gives the remaining
     * number.
     */
    rejectSet(digest: string, code: ErrorCode, queries: number): () => number {
      const failure = { code, left: queries };
      rejections.set(digest, failure);
      return () => failure.left;
    },

    /** Requests a scan and waits for its result. */
    async scan(digest: string): Promise<void> {
      const sbomId = await requestScan(digest);
      await eventually(() => completed.some((scan) => scan.sbom_id === sbomId), {
        what: 'the scan is completed',
      });
    },

    requestScan,

    async findings(digest: string) {
      const query = { digests: [digest], packages: null };
      const { body, attachment } = await bus.request(readFindingsOfSets, query);
      return ofSingleSet(body.answered, attachment ?? Buffer.alloc(0));
    },

    /** Waits until a later revision is in force and applied. */
    async nextRevision(after: number): Promise<number> {
      return eventually(
        async () => {
          const now = await state();
          if (!now || now.revision <= after || now.applied_revision < now.revision)
            throw new Error(`revision ${now?.revision}, settled ${now?.applied_revision}`);
          return now.revision;
        },
        { what: `a revision after ${after} is in force and settled` },
      );
    },

    async metric(line: string): Promise<number> {
      const url = `http://127.0.0.1:${service.internalPort}/metrics`;
      const text = await (await fetch(url)).text();
      const found = text.split('\n').find((one) => one.startsWith(line));
      return found === undefined ? 0 : Number(found.split(' ').at(-1));
    },

    async stop(): Promise<void> {
      await service.stop();
      for (const close of closing.splice(0)) await close();
      await client.close();
      await bus.close();
    },
  };

  async function requestScan(digest: string, createdAt = new Date()): Promise<string> {
    const sbom_id = randomUUID();
    requests.add(sbom_id);
    await bus.publish(scanRequested, {
      sbom_id,
      digest,
      project_id: randomUUID(),
      service_id: randomUUID(),
      seq: 1,
      created_at: createdAt.toISOString(),
      lane: 'upload',
      revision: 0,
      attempt: 0,
    });
    return sbom_id;
  }
}

function withSweepsEvery(composed: Composition, everySeconds: number | undefined): Composition {
  if (everySeconds === undefined) return composed;
  const sweeps = composed.sweeps?.map((sweep) => ({ ...sweep, everySeconds }));
  return { ...composed, sweeps };
}

/** Fields of a component; the rest gets defaults. */
type ComponentFixture = Partial<Component> & { purl: string | null };

interface FeedStateView {
  revision: number;
  applied_revision: number;
  data: string;
  parts: {
    label: string;
    covers: string[];
    fingerprint: string | null;
    records: number;
    rejected: number;
    error: string | null;
    failed_at: Date | null;
    checked_at: Date | null;
    as_of: Date | null;
    revision: number;
  }[];
}
