import { randomBytes, randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { handles, consumes, openEventTransport, openRpcTransport } from '@bomtrail/messaging';
import type { Database } from '@bomtrail/mongo';
import { startService, type RunningService } from '@bomtrail/service-runtime';
import {
  connectTestBus,
  startTestServers,
  type TestBus,
  type TestServers,
  serviceSettings,
} from '@bomtrail/testkit';
import { MongoClient, type Collection } from 'mongodb';
import { compose } from '../compose';
import { settings } from '../config';
import type { Registration } from '../domain/registration';
import type {
  DeletionDocument,
  ServiceDocument,
  ProjectDocument,
  SbomDocument,
} from '../store/documents';

/** Catalog processes on real servers, with fake scanner and reconciler. */
export interface TestCatalog {
  servers: TestServers;
  bus: TestBus;
  database: Database;
  projects: Collection<ProjectDocument>;
  services: Collection<ServiceDocument>;
  sboms: Collection<SbomDocument>;
  deletions: Collection<DeletionDocument>;
  /** Requested scans, in the order of arrival. */
  scans: messages.SbomReference[];
  /** Requested re-scans, in the order of arrival. */
  rescanRequests: messages.RequestedRescan[];
  /** Pauses the scanner, so that messages queue up; returns a function that resumes it. */
  pauseScanner(): () => void;
  newProject(name?: string): Promise<messages.ProjectView>;
  upload(upload: Partial<Registration>): Promise<messages.UploadResult>;
  /**
   * Starts a fake reconciler that removes SBOMs; returns a function that stops it. `removed`:
   * received SBOM ids.
   */
  fakeReconciler(removed?: string[], expired?: string[]): () => void;
  /** Starts fake owners of project data; returns a function that stops them. */
  fakeOwners(fakes?: FakeOwners): () => void;
  stop(): Promise<void>;
}

/** A `request-rescans` request for one set, of any package and without a known time of the change. */
export function rescanOf(digest: string, revision: number) {
  return { digests: [digest], revision, changed_at: null, packages: null };
}

export const owners = ['reconciler', 'notifier', 'gateway'] as const;

/** Behaviour of the fake owners; default: no data left. */
export interface FakeOwners {
  /** Available owners; default: all. */
  available?: readonly messages.OwnerOfProjectData[];
  /** Whether ingest and the scanner are available; default: true. */
  others?: boolean;
  /** Content marked at ingest. */
  marked?: messages.ContentNames[];
  /** Received deletions, as `<owner> <id>`. */
  requested?: string[];
  /** Runs before the response and may replace it. */
  respond?: (owner: messages.OwnerOfProjectData, id: string) => messages.DeletionProgress | void;
}

/** @param options `processes`: how many catalogs share the servers; `env`: further settings */
export async function startCatalog(
  options: { processes?: number; env?: Record<string, string> } = {},
): Promise<TestCatalog> {
  const { processes = 1, env = {} } = options;
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  const services: RunningService[] = [];
  for (let count = 0; count < processes; count++) {
    const service = await startService(
      { name: 'catalog', settings, compose },
      settings.parse({
        ...serviceSettings(servers),
        ...env,
      }),
    );
    services.push(service);
  }
  const scans: messages.SbomReference[] = [];
  let paused: Promise<void> | null = null;
  const scanner = [messages.scannerUploads, messages.scannerRescans].map((consumer) =>
    openEventTransport(
      bus.connection,
      consumes(consumer, {
        async handle(scan) {
          scans.push(scan);
          await paused;
        },
      }),
    ),
  );
  const rescanRequests: messages.RequestedRescan[] = [];
  const reconciler = openEventTransport(
    bus.connection,
    consumes(messages.reconcilerPackageRescans, {
      handle: async (one) => void rescanRequests.push(one),
    }),
  );
  const mongo = await new MongoClient(servers.mongoUri).connect();
  const db = mongo.db(`${servers.prefix}catalog`);
  return {
    servers,
    bus,
    scans,
    rescanRequests,
    database: { db, client: mongo, isUp: async () => true },
    projects: db.collection<ProjectDocument>('projects'),
    services: db.collection<ServiceDocument>('services'),
    sboms: db.collection<SbomDocument>('sboms'),
    deletions: db.collection<DeletionDocument>('deletions'),
    pauseScanner() {
      let release: () => void = () => {};
      paused = new Promise((resolve) => (release = resolve));
      return () => {
        paused = null;
        release();
      };
    },
    async newProject(name = `Project ${randomUUID()}`) {
      const rest = { description: null, repo_url: null, platform: null };
      return (await bus.request(messages.createProject, { name, ...rest })).body;
    },
    async upload(upload) {
      return (await bus.request(messages.registerSbom, { ...anyUpload(), ...upload })).body;
    },
    fakeReconciler(removed = [], expired = []) {
      const transports = [
        handles(messages.expireSboms, async ({ sbom_ids }) => {
          expired.push(...sbom_ids);
          return { body: { expired: true } };
        }),
        handles(messages.removeSbom, async ({ sbom_id }) => {
          removed.push(sbom_id);
          return { body: { removed: true } };
        }),
        handles(messages.removeSboms, async ({ sbom_ids }) => {
          removed.push(...sbom_ids);
          return { body: { removed: true } };
        }),
      ];
      const open = transports.map((transport) => openRpcTransport(bus.connection, transport));
      return () => void Promise.all(open.map((transport) => transport.close()));
    },
    fakeOwners({ available = owners, others = true, marked, requested = [], respond } = {}) {
      const deleteData = async (owner: messages.OwnerOfProjectData, id: string) => {
        requested.push(`${owner} ${id}`);
        return { body: respond?.(owner, id) ?? { more: false } };
      };
      const transports = available.map((owner) =>
        handles(messages.deleteProjectData(owner), ({ project_id }) =>
          deleteData(owner, project_id),
        ),
      );
      if (available.includes('reconciler')) {
        transports.push(
          handles(messages.deleteServiceData, ({ service_id }) =>
            deleteData('reconciler', service_id),
          ),
        );
      }
      if (others) transports.push(...contentOwners(marked));
      const open = transports.map((transport) => openRpcTransport(bus.connection, transport));
      return () => void Promise.all(open.map((transport) => transport.close()));
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all([...scanner, reconciler].map((consumer) => consumer.stop()));
      await bus.close();
      await mongo.close();
      await servers.stop();
    },
  };
}

/** Fake ingest and scanner for deletes. */
function contentOwners(marked: messages.ContentNames[] = []) {
  return [
    handles(messages.markContent, async (content) => {
      marked.push(content);
      return { body: { marked: 0 } };
    }),
    handles(messages.deleteScans, async () => ({ body: { more: false } })),
  ];
}

/** A random SHA-256. */
export function anySha(): string {
  return randomBytes(32).toString('hex');
}

/** An upload to the service “Checkout”, without a project. */
export function anyUpload(): Registration {
  return {
    project_id: null,
    project_slug: null,
    version: null,
    service_name: 'Checkout',
    root_name: null,
    sha256: anySha(),
    digest: anySha(),
    format: 'cyclonedx',
    spec_version: '1.6',
    dependency_count: 3,
  };
}
