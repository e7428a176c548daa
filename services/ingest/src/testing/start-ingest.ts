import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import { startService } from '@bomtrail/service-runtime';
import {
  connectTestBus,
  startTestServers,
  type TestBus,
  type TestServers,
  serviceSettings,
} from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { compose } from '../compose';
import { settings } from '../config';

/** Ingest on real servers with a fake catalog. */
export interface TestIngest {
  servers: TestServers;
  bus: TestBus;
  db: Db;
  /** The only project. */
  projectId: string;
  /** The registrations, in order. */
  registered: { sha256: string; digest: string; [field: string]: unknown }[];
  /** The SHA-256 and digests that SBOM records refer to; tests may remove some. */
  referred: Set<string>;
  /** Runs before each registration; may delay or reject it. */
  beforeRegister: { run: () => Promise<void> };
  /** Component sets that the scanner was told to release. */
  left: string[];
  upload(document: Uint8Array, rest?: UploadOptions): Promise<messages.UploadResult>;
  /** The unpacked bytes of a stored document. */
  readDocument(sha256: string): Promise<Buffer>;
  readComponents(digest: string): Promise<unknown[]>;
  /** Numbers of documents, component sets and GridFS files. */
  stored(): Promise<{ documents: number; sets: number; files: number }>;
  stop(): Promise<void>;
}

/** Overrides of the default upload. */
export interface UploadOptions {
  project_id?: string;
  version?: string;
  sha256?: string;
  size?: number;
  packed?: Uint8Array;
}

export async function startIngest(
  own: {
    MAX_COMPONENTS?: number;
    BOMTRAIL_GARBAGE_GRACE_SECONDS?: number;
    BOMTRAIL_TEST_SWEEP_RATE?: number;
  } = {},
): Promise<TestIngest> {
  buildWorker();
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  const projectId = randomUUID();
  const registered: TestIngest['registered'] = [];
  const referred = new Set<string>();
  const left: string[] = [];
  const beforeRegister = { run: async () => {} };
  bus.serve(
    handles(messages.getProject, async ({ project_id }) => {
      if (project_id !== projectId) throw new AppError('project_not_found');
      return { body: { id: projectId } as messages.ProjectView };
    }),
  );
  bus.serve(
    handles(messages.registerSbom, async (body) => {
      await beforeRegister.run();
      registered.push(body);
      referred.add(body.sha256).add(body.digest);
      const { format, spec_version, dependency_count, sha256 } = body;
      const scan = { scan_status: 'pending' as const, scanned_at: null };
      const from = { uploaded_by: null, commit: null, build_url: null };
      const id = randomUUID();
      return {
        body: { id, format, spec_version, dependency_count, sha256, ...scan, ...from },
      };
    }),
  );
  bus.serve(
    handles(messages.findReferences, async ({ documents, sets }) => ({
      body: {
        documents: documents.filter((one) => referred.has(one)),
        sets: sets.filter((one) => referred.has(one)),
      },
    })),
  );
  bus.serve(
    handles(messages.releaseSets, async ({ digests }) => {
      left.push(...digests);
      return { body: { noted: digests.length } };
    }),
  );
  const service = await startService(
    { name: 'ingest', settings, compose },
    settings.parse({
      ...serviceSettings(servers),
      ...own,
    }),
  );
  const mongo = await new MongoClient(servers.mongoUri).connect();
  const db = mongo.db(`${servers.prefix}ingest`);
  return {
    servers,
    bus,
    db,
    projectId,
    registered,
    referred,
    beforeRegister,
    left,
    async upload(document, rest = {}) {
      const request = {
        project_id: rest.project_id ?? projectId,
        project_slug: null,
        version: rest.version ?? null,
        service_name: null,
        sha256: rest.sha256 ?? shaOf(document),
        size: rest.size ?? document.byteLength,
      };
      const packed = rest.packed ?? gzipSync(document, { level: 1 });
      return (await bus.request(messages.acceptUpload, request, packed)).body;
    },
    async readDocument(sha256) {
      const { body, attachment } = await bus.request(messages.readDocument, { sha256 });
      const bytes = gunzipSync(attachment ?? Buffer.alloc(0));
      expect(body.size).toBe(bytes.byteLength);
      return bytes;
    },
    async readComponents(digest) {
      const { body, attachment } = await bus.request(messages.readComponents, { digest });
      const components = JSON.parse(gunzipSync(attachment ?? Buffer.alloc(0)).toString('utf8'));
      expect(body.count).toBe(components.length);
      return components as unknown[];
    },
    stored: async () => ({
      documents: await db.collection('documents').countDocuments(),
      sets: await db.collection('component_sets').countDocuments(),
      files: await db.collection('blobs.files').countDocuments(),
    }),
    async stop() {
      await service.stop();
      await bus.close();
      await mongo.close();
      await servers.stop();
    },
  };
}

/** Worker threads run compiled code in tests, too. */
function buildWorker(): void {
  const root = join(__dirname, '..', '..', '..', '..');
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const service = join(root, 'services', 'ingest');
  execFileSync(process.execPath, [tsc, '-b', service], { stdio: 'inherit' });
}

export function shaOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A CycloneDX document with these components; `rest` is merged into its top level. */
export function cyclonedx(
  components: readonly object[],
  rest: Record<string, unknown> = {},
): Buffer {
  return Buffer.from(
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, ...rest, components }),
  );
}

export function npm(name: string, version: string): Record<string, unknown> {
  return { type: 'library', name, version, purl: `pkg:npm/${name}@${version}` };
}
