import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { loadContract } from '@bomtrail/api-contract';
import { createLogger } from '@bomtrail/telemetry';
import { Metadata } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import { hashSecret, type ApiKeyRecord } from '../api-keys/domain/api-key';
import { callerOf } from '../api-keys/domain/caller';
import type { Outcome } from '../audit/domain/audit-entry';
import { createMetrics } from '../metrics';
import { createAdmissionQueue } from '../uploads/admission-queue';
import { bytesInMemory } from '../uploads/receive-file';
import { UploadSBOMRequest } from '@bomtrail/grpc-contract';
import { createFailedKeys } from '../api-keys/store/failed-keys';
import { createSbomService, type SbomServiceDeps } from './sbom-service';

const secret = 's'.repeat(43);
const message = UploadSBOMRequest.encode({
  project_id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11',
  project_slug: '',
  version: '',
  service_name: '',
  sbom_json: 'x'.repeat(bytesInMemory + 1),
}).finish();

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'sbom-service-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A call as the library hands it over, with its message in the line. */
function callWithMessage() {
  const metadata = new Metadata();
  metadata.set('authorization', `bearer bt_somebody0000_${secret}`);
  const line = new Duplex({ objectMode: true, read: () => {}, write: () => {} });
  line.push(Buffer.from(message));
  line.push(null);
  return Object.assign(line, {
    metadata,
    cancelled: false,
    sendMetadata: () => {},
    getPath: () => '/sbom.SBOMService/UploadSBOM',
    getPeer: () => '192.0.2.1:4000',
  });
}

test('a call that ends once its document is stored starts no upload, and leaves no file and no place taken', async () => {
  const call = callWithMessage();
  const admission = createAdmissionQueue({ atOnce: 1, waiting: 0 });
  const outcomes: Outcome[] = [];
  const responses: unknown[] = [];
  let filesWhenItEnded = 0;
  const deps = {
    admission,
    directory,
    maxBytes: 2 * bytesInMemory,
    contract: loadContract(),
    now: () => new Date(),
    log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
    metrics: createMetrics(new Registry()),
    callerOf: async (key: ApiKeyRecord) => callerOf(key),
    findKey: async () => ({
      id: 'key',
      prefix: 'somebody0000',
      name: null,
      secretSha256: hashSecret(secret),
      scopes: [],
      projectId: null,
      expiresAt: null,
      revokedAt: null,
    }),
    failedKeys: createFailedKeys({ perMinute: 0 }),
    proxyHops: 0,
    noteUse: () => {},
    countCall: async () => 0,
    request: () => Promise.reject(new Error('Nothing behind is asked.')),
    trail: {
      begin: () => ({
        stored: async () => {
          filesWhenItEnded = readdirSync(directory).length;
          call.emit('cancelled');
        },
        about: () => {},
        end: (outcome: Outcome) => outcomes.push(outcome),
      }),
      idle: async () => {},
    },
  } as unknown as SbomServiceDeps;
  const service = createSbomService(deps);
  service.implementation.uploadSbom(
    call as unknown as Parameters<typeof service.implementation.uploadSbom>[0],
    (...response) => responses.push(response),
  );
  await service.idle();
  expect(responses).toEqual([]);
  expect(outcomes).toEqual([{ kind: 'aborted' }]);
  expect([filesWhenItEnded, readdirSync(directory).length]).toEqual([1, 0]);
  await expect(admission.enter(new AbortController().signal, 'next')).resolves.toBeDefined();
}, 60_000);
