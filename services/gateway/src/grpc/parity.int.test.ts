import { createHash, randomUUID } from 'node:crypto';
import { AppError, errorTable, getSbom, type ErrorCode } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { hashSecret } from '../api-keys/domain/api-key';
import type { ApiKeyDocument } from '../api-keys/store/api-keys-store';
import { connectGrpc, type Answered, type TestGrpcClient } from '../testing/grpc-client';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

const maxBytes = 2 * 1024 * 1024;
const { projectId, otherProjectId, missingId } = harness;
let gateway: TestGateway;
let fakes: FakeServices;
let client: TestGrpcClient;

beforeAll(async () => {
  gateway = await startGateway({ MAX_UPLOAD_BYTES: maxBytes });
  fakes = fakeServices(gateway.bus);
  client = connectGrpc(gateway.grpcPort);
});
afterAll(async () => {
  client?.close();
  await gateway?.stop();
});
beforeEach(() => {
  fakes.requested.length = 0;
  fakes.uploads.length = 0;
  fakes.uploadFails = null;
});
afterEach(() =>
  eventually(async () => (await gateway.tempFiles()).length === 0, {
    what: 'no temporary file is left',
  }),
);

interface Fields {
  project_id?: string;
  project_slug?: string;
  version?: string;
  service_name?: string;
}

const document = '{"bomFormat":"CycloneDX"}\n';
const target = { project_id: projectId };

async function overRest(fields: Fields, file: string, authorization: string | null) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([file]), 'bom.json');
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/sboms/upload`, {
    method: 'POST',
    body: form,
    headers: authorization === null ? {} : { authorization },
  });
  const body = (await response.json()) as {
    code?: ErrorCode;
    detail?: string | { loc: string[]; msg: string }[];
    id?: string;
    format?: string;
    dependency_count?: number;
    sha256?: string;
  };
  return { status: response.status, body };
}

/** Without the question behind the answer, for the audit log: whose SBOM that was. */
function forUpload(requested: FakeServices['requested']): FakeServices['requested'] {
  return requested.filter(({ subject }) => subject !== getSbom.subject);
}

/** What both doors told, and what they asked behind them. */
async function overBothProtocols(
  fields: Fields,
  file: string,
  authorization: string | null = `Bearer ${bootstrapKey}`,
) {
  const rest = await overRest(fields, file, authorization);
  const requested = { rest: forUpload(fakes.requested), grpc: [] as typeof fakes.requested };
  const uploads = { rest: [...fakes.uploads], grpc: [] as Buffer[] };
  fakes.requested.length = 0;
  fakes.uploads.length = 0;
  const grpc = await client.upload({ ...fields, sbom_json: file }, { authorization });
  requested.grpc = forUpload(fakes.requested);
  uploads.grpc = fakes.uploads;
  return { rest, grpc, requested, uploads };
}

/** The same refusal: its code, its sentence, and of wrong fields each with its fault. */
function expectSameError(rest: Awaited<ReturnType<typeof overRest>>, grpc: Answered): void {
  const { code, detail } = rest.body;
  expect(grpc.response).toBeNull();
  if (typeof detail === 'string' && code) {
    expect(grpc.status).toBe(errorTable[code].grpc);
    expect(grpc.trailing['bomtrail-code']).toBe(code);
    expect(grpc.details.replace(/^sbom_json/, 'The file')).toBe(detail);
  } else {
    expect(rest.status).toBe(422);
    expect(grpc.status).toBe('INVALID_ARGUMENT');
    const problems = (detail as { loc: string[]; msg: string }[]).map(
      ({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`,
    );
    expect(grpc.details).toBe(problems.join('; '));
  }
}

const emoji = '\u{1F9C0}';

describe('REST and gRPC take the same uploads', () => {
  test.each<[string, Fields, string]>([
    ['a project by its id', target, document],
    ['a project by its id in upper case', { project_id: projectId.toUpperCase() }, document],
    ['a project by its slug', { project_slug: 'web-shop' }, document],
    ['all fields', { ...target, version: '1.4.0', service_name: 'Checkout' }, document],
    ['empty fields', { ...target, project_slug: '', version: '', service_name: '' }, document],
    ['a service name of white space only', { ...target, service_name: ' \t ' }, document],
    [
      'names as they are',
      { ...target, version: ' v 1 ', service_name: ` Käse ${emoji}` },
      document,
    ],
    ['a version of 255 code points', { ...target, version: emoji.repeat(255) }, document],
    ['a service name of 255 code points', { ...target, service_name: emoji.repeat(255) }, document],
    ['a document with a byte order mark', target, `\uFEFF${document}`],
    ['a document beyond ASCII', target, `{"n":"ü ${emoji} \u0000 \u2028"}`],
    ['a document that is no JSON at all', target, 'hello'],
    ['a document of the largest size', target, 'é'.repeat(maxBytes / 2)],
  ])('with %s', async (_what, fields, file) => {
    const { rest, grpc, requested, uploads } = await overBothProtocols(fields, file);
    expect([rest.status, grpc.status]).toEqual([201, 'OK']);
    const { id, format, dependency_count, sha256 } = rest.body;
    expect(grpc.response).toEqual({ id, format, dependency_count, sha256 });
    expect(sha256).toBe(createHash('sha256').update(file, 'utf8').digest('hex'));
    expect(requested.grpc).toEqual(requested.rest);
    expect(uploads.grpc).toEqual(uploads.rest);
    expect(uploads.grpc).toEqual([Buffer.from(file)]);
  });
});

describe('REST and gRPC refuse the same uploads', () => {
  test.each<[string, Fields, string]>([
    ['both names of a project', { ...target, project_slug: 'web-shop' }, document],
    ['no project', {}, document],
    ['a project id that is no UUID', { project_id: 'no-uuid' }, document],
    ['a version of 256 code points', { ...target, version: 'x'.repeat(256) }, document],
    ['a service name of 256 code points', { ...target, service_name: emoji.repeat(256) }, document],
    [
      'everything wrong at once',
      { project_id: 'x', version: 'x'.repeat(256), service_name: 'x'.repeat(9_000) },
      document,
    ],
    ['a project that does not exist', { project_id: missingId }, document],
    ['a document that is too large', target, 'x'.repeat(maxBytes + 1)],
    ['a document that is too large, and wrong fields', {}, 'x'.repeat(maxBytes + 1)],
  ])('with %s', async (_what, fields, file) => {
    const { rest, grpc, requested } = await overBothProtocols(fields, file);
    expect(rest.status).toBeGreaterThanOrEqual(400);
    expectSameError(rest, grpc);
    expect(requested.grpc).toEqual(requested.rest);
  });

  test.each<ErrorCode>([
    'malformed_json',
    'malformed_body',
    'unsupported_sbom_format',
    'unsupported_sbom_version',
    'invalid_sbom',
    'too_many_components',
    'project_not_found',
    'service_unavailable',
  ])('with what ingest says of them: %s', async (code) => {
    fakes.uploadFails = new AppError(code, `A sentence about ${code}: ü, 100 %.`);
    const { rest, grpc } = await overBothProtocols(target, document);
    expect(rest.status).toBe(errorTable[code].http);
    expectSameError(rest, grpc);
    expect(gateway.errors).toEqual([]);
  });

  test('of a failure nothing is shown to the client, and everything is in one log line', async () => {
    fakes.uploadFails = new TypeError('secret detail');
    const { rest, grpc } = await overBothProtocols(target, document);
    expect(rest.status).toBe(500);
    expectSameError(rest, grpc);
    expect(grpc.details).toBe('Internal Server Error');
    const lines = gateway.errors.splice(0);
    expect(lines.map(({ event }) => event)).toEqual(['exception', 'exception']);
    expect(lines[1]).toMatchObject({
      logger: 'bomtrail.gateway.grpc',
      type: 'AppError',
      traceback: expect.any(String) as string,
      request_method: 'POST',
      request_path: '/sbom.SBOMService/UploadSBOM',
      request_query: '',
      request_client: '127.0.0.1',
    });
    expect(JSON.stringify(lines)).not.toContain('bt_');
  });
});

describe('REST and gRPC let the same keys in', () => {
  let count = 0;
  async function makeKey(fields: Partial<ApiKeyDocument>): Promise<string> {
    count += 1;
    const prefix = `grpckey${String(count).padStart(5, '0')}`;
    const secret = 'k'.repeat(43);
    await gateway.keys.insertOne({
      _id: randomUUID(),
      prefix,
      secret_sha256: hashSecret(secret),
      name: null,
      scopes: [],
      project_id: null,
      expires_at: null,
      created_at: new Date(),
      revoked_at: null,
      ...fields,
    } as ApiKeyDocument);
    return `Bearer bt_${prefix}_${secret}`;
  }

  test.each<[string, string | null]>([
    ['no key', null],
    ['another scheme', `Basic ${bootstrapKey}`],
    ['the scheme alone', 'Bearer'],
    ['two keys', `Bearer ${bootstrapKey} ${bootstrapKey}`],
    ['something that is no key', 'Bearer bt_short'],
    ['an unknown key', `Bearer bt_unknown00000_${'u'.repeat(43)}`],
    ['another secret', `Bearer ${bootstrapKey.slice(0, -1)}x`],
  ])('not with %s, whatever else is wrong', async (_what, authorization) => {
    const { rest, grpc, requested } = await overBothProtocols({}, '', authorization);
    expect([rest.status, grpc.status]).toEqual([401, 'UNAUTHENTICATED']);
    expectSameError(rest, grpc);
    expect(requested).toEqual({ rest: [], grpc: [] });
  });

  test.each<[string, Partial<ApiKeyDocument>]>([
    ['expired', { expires_at: new Date(Date.now() - 1) }],
    ['revoked', { revoked_at: new Date() }],
    ['without the scope', { scopes: ['read', 'write'] }],
  ])('not with a key that is %s', async (_state, fields) => {
    const { rest, grpc, requested } = await overBothProtocols({}, '', await makeKey(fields));
    expect([401, 403]).toContain(rest.status);
    expectSameError(rest, grpc);
    expect(requested).toEqual({ rest: [], grpc: [] });
  });

  test.each([`bearer ${bootstrapKey}`, `BEARER   ${bootstrapKey}`])('with %j', async (header) => {
    expect((await overBothProtocols(target, document, header)).grpc.status).toBe('OK');
  });

  test('with the scope alone, and in its own project', async () => {
    const key = await makeKey({ scopes: ['upload'], project_id: projectId });
    for (const fields of [target, { project_slug: 'web-shop' }]) {
      const { rest, grpc } = await overBothProtocols(fields, document, key);
      expect([rest.status, grpc.status]).toEqual([201, 'OK']);
    }
  });

  test.each([
    { project_id: otherProjectId },
    { project_slug: 'other' },
    { project_slug: 'nowhere' },
    { project_id: missingId },
  ])('not with a bound key in another project: %j', async (fields) => {
    const key = await makeKey({ project_id: projectId });
    const { rest, grpc } = await overBothProtocols(fields, document, key);
    expect([rest.status, grpc.status]).toEqual([404, 'NOT_FOUND']);
    expectSameError(rest, grpc);
    expect(fakes.uploads).toEqual([]);
  });
});
