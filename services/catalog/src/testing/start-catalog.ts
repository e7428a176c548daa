import { randomBytes, randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import {
  handles,
  consumes,
  openEventTransport,
  openRpcTransport,
  startService,
  type Database,
  type RunningService,
} from '@bomtrail/service-kit';
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

/** Processes of the catalog on real servers; scanner and reconciler are played by the test. */
export interface TestCatalog {
  servers: TestServers;
  bus: TestBus;
  database: Database;
  projects: Collection<ProjectDocument>;
  services: Collection<ServiceDocument>;
  sboms: Collection<SbomDocument>;
  deletions: Collection<DeletionDocument>;
  /** Scans that the catalog asked for, in the order of their arrival at the scanner. */
  scans: messages.SbomReference[];
  /** Lines that the catalog said to be outdated, in the order of their arrival at the reconciler. */
  outdated: messages.RequestedRescan[];
  /** Keeps the scanner from ending what it has in hand, so that the rest waits in the queue; gives what lets it go on. */
  holdScanner(): () => void;
  newProject(name?: string): Promise<messages.ProjectView>;
  upload(upload: Partial<Registration>): Promise<messages.UploadResult>;
  /** Lets a reconciler take SBOMs out of the lists; gives what ends it. `removed`: what it was asked for. */
  fakeReconciler(removed?: string[]): () => void;
  /** Lets the owners of what belongs to projects answer; gives what ends it. */
  fakeOwners(played?: FakeOwners): () => void;
  stop(): Promise<void>;
}

/** A `request-rescans` request for one set, of any package and without a known time of the change. */
export function rescanOf(digest: string, revision: number) {
  return { digests: [digest], revision, changed_at: null, packages: null };
}

export const owners = ['reconciler', 'notifier', 'gateway'] as const;

/** How the owners answer, beside that nothing is left. */
export interface FakeOwners {
  /** The owners that are there; all when omitted. */
  there?: readonly messages.OwnerOfProjectData[];
  /** Whether ingest and the scanner are there, too; they are when omitted. */
  others?: boolean;
  /** What ingest was told: documents and sets that lose a reference. */
  marked?: messages.ContentNames[];
  /** What they were asked to forget, as `<owner> <id>`. */
  asked?: string[];
  /** Runs before the answer, which it gives where it does not say that nothing is left. */
  answer?: (owner: messages.OwnerOfProjectData, id: string) => messages.DeletionProgress | void;
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
  let held: Promise<void> | null = null;
  const scanner = [messages.scannerUploads, messages.scannerRescans].map((consumer) =>
    openEventTransport(
      bus.connection,
      consumes(consumer, {
        async handle(scan) {
          scans.push(scan);
          await held;
        },
      }),
    ),
  );
  const outdated: messages.RequestedRescan[] = [];
  const reconciler = openEventTransport(
    bus.connection,
    consumes(messages.reconcilerPackageRescans, { handle: async (one) => void outdated.push(one) }),
  );
  const mongo = await new MongoClient(servers.mongoUri).connect();
  const db = mongo.db(`${servers.prefix}catalog`);
  return {
    ...{ servers, bus, scans, outdated },
    database: { db, client: mongo, isUp: async () => true },
    projects: db.collection<ProjectDocument>('projects'),
    services: db.collection<ServiceDocument>('services'),
    sboms: db.collection<SbomDocument>('sboms'),
    deletions: db.collection<DeletionDocument>('deletions'),
    holdScanner() {
      let release: () => void = () => {};
      held = new Promise((resolve) => (release = resolve));
      return () => {
        held = null;
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
    fakeReconciler(removed = []) {
      const transports = [
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
    fakeOwners({ there = owners, others = true, marked, asked = [], answer } = {}) {
      const forgets = async (owner: messages.OwnerOfProjectData, id: string) => {
        asked.push(`${owner} ${id}`);
        return { body: answer?.(owner, id) ?? { more: false } };
      };
      const transports = there.map((owner) =>
        handles(messages.deleteProjectData(owner), ({ project_id }) => forgets(owner, project_id)),
      );
      if (there.includes('reconciler')) {
        transports.push(
          handles(messages.deleteServiceData, ({ service_id }) =>
            forgets('reconciler', service_id),
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

/** Ingest and the scanner, as far as they hear of deletes. */
function contentOwners(marked: messages.ContentNames[] = []) {
  return [
    handles(messages.markContent, async (content) => {
      marked.push(content);
      return { body: { marked: 0 } };
    }),
    handles(messages.deleteScans, async () => ({ body: { more: false } })),
  ];
}

/** A SHA-256 of nothing in particular. */
export function anySha(): string {
  return randomBytes(32).toString('hex');
}

/** To the service “Checkout” of no project yet. */
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
