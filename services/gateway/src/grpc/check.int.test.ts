import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { errorTable, type ErrorCode } from '@bomtrail/messages';
import { MongoClient } from 'mongodb';
import { otherProjectId, projectId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { connectGrpc, type Answered, type TestGrpcClient } from '../testing/grpc-client';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import type { CheckSBOMResponse } from '@bomtrail/grpc-contract';

const maxBytes = 1024 * 1024;
const document = '{"bomFormat":"CycloneDX"}\n';
let gateway: TestGateway;
let fakes: FakeServices;
let client: TestGrpcClient;

beforeAll(async () => {
  gateway = await startGateway({ MAX_UPLOAD_BYTES: maxBytes, CHECK_CONCURRENCY: 1 });
  fakes = fakeServices(gateway.bus);
  client = connectGrpc(gateway.grpcPort);
});
afterAll(async () => {
  client?.close();
  await gateway?.stop();
});
beforeEach(() => (fakes.requested.length = 0));

interface Given {
  fields?: Record<string, string>;
  query?: Record<string, string | boolean | number>;
  file?: string;
}

interface RestAnswer {
  status: number;
  body: Record<string, unknown> & {
    code?: ErrorCode;
    detail?: string | { loc: string[]; msg: string }[];
  };
}

async function overRest({ fields = {}, query = {}, file = document }: Given): Promise<RestAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), 'bom.json');
  const text = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  const search = new URLSearchParams(Object.fromEntries(text)).toString();
  const response = await gateway.call('POST', `/api/v1/sboms/check?${search}`, { body: form });
  return { status: response.status, body: (await response.json()) as RestAnswer['body'] };
}

const overGrpc = ({ fields = {}, query = {}, file = document }: Given) =>
  client.check({ ...fields, ...query, sbom_json: file });

/** What both transports requested of the services. */
async function overBoth(given: Given) {
  const rest = await overRest(given);
  const requestedByRest = fakes.requested.splice(0);
  const grpc = await overGrpc(given);
  return { rest, grpc, requested: { rest: requestedByRest, grpc: fakes.requested.splice(0) } };
}

const inOrder = (requested: FakeServices['requested']) =>
  requested
    .filter(({ subject }) => !subject.includes('read-feeds'))
    .map((one) => JSON.stringify({ ...one, body: { ...(one.body as object), at: null } }))
    .sort();

function okOf({ status, details, response }: Answered<CheckSBOMResponse>): CheckSBOMResponse {
  if (!response) throw new Error(`${status}: ${details}`);
  return response;
}

const scoped = { project_id: projectId, service_name: 'Checkout', version: 'pr-17' };

describe('REST and gRPC make the same check', () => {
  test.each<[string, Given]>([
    ['of a project and service', { fields: scoped }],
    ['of a project by its slug', { fields: { project_slug: 'web-shop' } }],
    ['without a project', {}],
    ['of a service that does not exist', { fields: { ...scoped, service_name: 'New' } }],
    ['with a gate', { query: { fail_on: 'low', only_new: true, only_fixable: true } }],
    ['with a gate by risk', { query: { fail_on: 'none', fail_on_kev: true, max_epss: 0.25 } }],
    ['with a gate by any EPSS', { query: { max_epss: 0 } }],
    ['with a gate by licences', { fields: scoped, query: { fail_on_license: true } }],
    ['with a gate by quality', { fields: scoped, query: { min_quality: 51 } }],
    ['with no baseline', { fields: scoped, query: { baseline: 'none' } }],
    ['of a document beyond ASCII', { file: '{"n":"ü \u{1F9C0} \u2028"}' }],
  ])('%s', async (_what, given) => {
    const { rest, grpc, requested } = await overBoth(given);
    expect(rest.status).toBe(200);
    const response = okOf(grpc);
    const { file = document } = given;
    expect(response.sha256).toBe(createHash('sha256').update(file).digest('hex'));
    expect(inOrder(requested.grpc)).toEqual(inOrder(requested.rest));
    expect(JSON.parse(gunzipSync(response.vulnerabilities_json_gzip).toString())).toEqual(
      rest.body['vulnerabilities'],
    );
    for (const name of [
      ...(['verdict', 'format', 'spec_version', 'dependency_count', 'advisory_data'] as const),
      ...(['reasons', 'caveats', 'counts', 'decided', 'failing_total', 'total'] as const),
    ]) {
      expect([name, response[name]]).toEqual([name, rest.body[name]]);
    }
    expect(response.licenses?.denied).toBe(
      (rest.body['licenses'] as { denied: number } | null)?.denied,
    );
    expect(response.quality?.score).toBe((rest.body['quality'] as { score: number }).score);
    for (const name of ['project_id', 'service_id', 'service_name', 'version'] as const) {
      expect([name, response[name]]).toEqual([name, rest.body[name] ?? '']);
    }
  });
});

describe('REST and gRPC refuse the same checks', () => {
  test.each<[string, Given]>([
    ['both names of a project', { fields: { ...scoped, project_slug: 'web-shop' } }],
    ['a project id that is no UUID', { fields: { project_id: 'no-uuid' } }],
    ['a version of 256 code points', { fields: { version: 'x'.repeat(256) } }],
    ['an unknown threshold', { query: { fail_on: 'most' } }],
    ['a quality beyond 100', { query: { min_quality: 101 } }],
    ['an EPSS beyond 1', { query: { max_epss: 1.5 } }],
    ['an EPSS that is no number', { query: { max_epss: NaN } }],
    ['everything wrong', { fields: { project_id: 'x' }, query: { fail_on: 'x', max_epss: -1 } }],
    ['an unknown project', { fields: { project_slug: 'nobody' } }],
    ['an unknown baseline', { fields: scoped, query: { baseline: '9' } }],
    ['a baseline of no project', { query: { baseline: '9' } }],
    ['a document that is too large', { file: 'x'.repeat(maxBytes + 1) }],
  ])('with %s', async (_what, given) => {
    const { rest, grpc, requested } = await overBoth(given);
    const { code, detail } = rest.body;
    expect(rest.status).toBeGreaterThanOrEqual(400);
    expect(inOrder(requested.grpc)).toEqual(inOrder(requested.rest));
    if (code) {
      expect([grpc.status, grpc.trailing['bomtrail-code']]).toEqual([errorTable[code].grpc, code]);
      expect(grpc.details.replace(/^sbom_json/, 'The file')).toBe(detail);
    } else {
      const problems = detail as { loc: string[]; msg: string }[];
      const told = problems.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
      expect([grpc.status, grpc.details.split('; ').sort()]).toEqual([
        'INVALID_ARGUMENT',
        told.sort(),
      ]);
    }
  });

  test('a check without a document names the missing field', async () => {
    const { status, details } = await overGrpc({ file: '' });
    expect([status, details]).toEqual(['INVALID_ARGUMENT', 'sbom_json: Field required']);
  });
});

test('the failing vulnerabilities are typed', async () => {
  const { failing } = okOf(await overGrpc({ fields: scoped }));
  const { body } = await overRest({ fields: scoped });
  const [first] = body['failing'] as Record<string, unknown>[];
  expect(failing).toHaveLength(1);
  const { kev, title, purl, ...same } = failing[0] as (typeof failing)[0];
  expect(first).toMatchObject(JSON.parse(JSON.stringify(same)) as object);
  expect([kev, title, purl]).toEqual([
    first?.['kev'] !== null,
    first?.['title'] ?? '',
    first?.['purl'] ?? '',
  ]);
});

describe('a key', () => {
  async function authorization(fields: object): Promise<string> {
    const response = await gateway.call('POST', '/api/v1/api-keys', {
      body: JSON.stringify(fields),
      headers: { 'content-type': 'application/json' },
    });
    return `bearer ${((await response.json()) as { key: string }).key}`;
  }
  const check = async (fields: object, project_id = '') => {
    const options = { authorization: await authorization(fields) };
    const { status, trailing } = await client.check({ project_id, sbom_json: document }, options);
    return [status, trailing['bomtrail-code']];
  };

  test('needs the scope upload, and one that is bound to a project sees no other', async () => {
    expect(await check({ scopes: ['read', 'write'] })).toEqual([
      'PERMISSION_DENIED',
      'insufficient_scope',
    ]);
    expect(await check({ scopes: ['upload'] })).toEqual(['OK', undefined]);
    const bound = { scopes: ['upload'], project_id: projectId };
    expect(await check(bound, projectId)).toEqual(['OK', undefined]);
    expect(await check(bound, otherProjectId)).toEqual(['NOT_FOUND', 'project_not_found']);
  });

  test('is required', async () => {
    const none = await client.check({ sbom_json: document }, { authorization: null });
    expect(none.trailing['bomtrail-code']).toBe('missing_api_key');
  });
});

test('a check asks nobody to store anything and leaves no audit entry and no file', async () => {
  okOf(await overGrpc({ fields: scoped }));
  expect(fakes.requested.map(({ subject }) => subject.split('.')[1]).sort()).toEqual(
    expect.arrayContaining(['find-check-scope', 'judge-components', 'parse-document']),
  );
  const mongo = await new MongoClient(gateway.servers.mongoUri).connect();
  const entries = mongo.db(`${gateway.servers.prefix}gateway`).collection('audit_entries');
  expect(await entries.countDocuments({ path: /CheckSBOM/ })).toBe(0);
  await mongo.close();
  expect(await gateway.tempFiles()).toEqual([]);
});

test('checks take turns, and all are answered', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => overGrpc({})));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'OK'));
});
