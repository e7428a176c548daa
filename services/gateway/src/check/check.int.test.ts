import { gzipSync } from 'node:zlib';
import { checkResponse } from '@bomtrail/api-contract';
import { MongoClient } from 'mongodb';
import { brokenProjectId, otherProjectId, projectId, serviceId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway({ MAX_UPLOAD_BYTES: 1024 * 1024, CHECK_CONCURRENCY: 1 });
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
beforeEach(() => (fakes.requested.length = 0));

interface CheckOptions {
  query?: string;
  file?: string | Uint8Array;
  headers?: Record<string, string>;
}

async function check(fields: Record<string, string>, options: CheckOptions = {}) {
  const { query = '', file = '{"bomFormat":"CycloneDX"}', headers = {} } = options;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([file as string]), 'bom.json');
  const response = await gateway.call('POST', `/api/v1/sboms/check${query}`, { body, headers });
  const answer = (await response.json()) as Record<string, unknown> & { caveats: unknown[] };
  return { status: response.status, answer, codes: [response.status, answer['code']] };
}

const asked = (subject: string) =>
  fakes.requested.find((one) => one.subject.includes(subject))?.body;

test('one call answers the findings and the verdict, and asks nobody to store anything', async () => {
  const file = gzipSync('{"bomFormat":"CycloneDX","x":1}');
  const of = { project_id: projectId, service_name: 'Checkout', version: 'pr-17' };
  const { status, answer } = await check(of, { file, query: '?only_new=true&fail_on=low' });
  const body = answer as unknown;
  expect(checkResponse(gateway.contract, { operationId: 'checkSbom', status, body })).toEqual([]);
  expect(answer).toMatchObject({
    project_id: projectId,
    service_id: serviceId,
    service_name: 'Checkout',
    version: 'pr-17',
    verdict: 'fail',
    failing_total: 1,
    total: 1,
    baseline: null,
    vulnerabilities: [{ cve_id: 'CVE-2021-44228', is_new: true }],
    caveats: [{ code: 'no_baseline' }],
  });
  expect(fakes.checks.at(-1)?.toString()).toBe('{"bomFormat":"CycloneDX","x":1}');
  const names = fakes.requested.map(({ subject }) => subject.split('.')[1]);
  expect([...names].sort()).toEqual([
    'find-check-scope',
    'has-vex',
    'judge-components',
    'parse-document',
    'read-feeds',
  ]);
  expect(asked('judge-components')).toMatchObject({
    project_id: projectId,
    service_id: serviceId,
    baseline: 'none',
    fail_on: 'low',
    only_new: true,
  });
  const mongo = await new MongoClient(gateway.servers.mongoUri).connect();
  const entries = mongo.db(`${gateway.servers.prefix}gateway`).collection('audit_entries');
  expect(await entries.countDocuments({ operation: 'checkSbom' })).toBe(0);
  await mongo.close();
});

test('it says what it could not compare with', async () => {
  const alone = await check({});
  expect(alone.answer).toMatchObject({ project_id: null, caveats: [{ code: 'no_project' }] });
  expect(asked('find-check-scope')).toBeUndefined();
  const unknown = await check({ project_slug: 'web-shop', service_name: 'New' });
  expect(unknown.answer).toMatchObject({ service_id: null, service_name: 'New' });
  expect(unknown.answer.caveats).toMatchObject([{ code: 'service_unknown' }]);
});

test('where VEX documents may decide, the document is judged with them', async () => {
  const file = '{"bomFormat":"CycloneDX","x":2}';
  const { status } = await check({ project_id: otherProjectId }, { file });
  expect(status).toBe(200);
  expect(asked('judge-components')).toBeUndefined();
  expect(asked('judge-document')).toMatchObject({ project_id: otherProjectId, size: file.length });
  expect(fakes.checksWithVex.map(String)).toEqual([file]);
});

test('nothing is judged if it cannot be said whether VEX documents decide', async () => {
  const { codes } = await check({ project_id: brokenProjectId });
  expect(codes).toEqual([503, 'service_unavailable']);
  expect(asked('judge-components')).toBeUndefined();
});

test('licences are judged by the policy of the project, if the gate asks for it', async () => {
  const of = { project_id: projectId };
  const without = await check(of, { query: '?fail_on=none' });
  expect(without.answer).toMatchObject({ fail_on_license: false, licenses: null });
  expect(asked('judge-licenses')).toBeUndefined();
  const { status, answer } = await check(of, { query: '?fail_on=none&fail_on_license=true' });
  const body = answer as unknown;
  expect(checkResponse(gateway.contract, { operationId: 'checkSbom', status, body })).toEqual([]);
  expect(asked('judge-licenses')).toMatchObject({
    digest: null,
    policy: { groups: { network_copyleft: 'deny' } },
  });
  expect(answer).toMatchObject({
    fail_on_license: true,
    licenses: { denied: 1, unknown: 1, components: [{ name: 'mongo-tool' }, { name: 'own' }] },
    reasons: expect.arrayContaining([expect.objectContaining({ code: 'licenses' })]) as unknown,
    caveats: expect.arrayContaining([
      expect.objectContaining({ code: 'license_unknown' }),
    ]) as unknown,
  });
  const alone = await check({}, { query: '?fail_on_license=true' });
  expect(alone.answer).toMatchObject({ licenses: null });
});

test('the quality of the document is answered, and fails a gate that wants a better one', async () => {
  const codesOf = async (query: string) => {
    const { answer } = await check({}, { query });
    return [
      answer['min_quality'],
      (answer['reasons'] as { code: string }[]).map(({ code }) => code),
    ];
  };
  const { status, answer } = await check({}, { query: '?fail_on=none&min_quality=51' });
  const body = answer as unknown;
  expect(checkResponse(gateway.contract, { operationId: 'checkSbom', status, body })).toEqual([]);
  expect(answer).toMatchObject({ verdict: 'fail', quality: { score: 50, components: 2 } });
  expect(await codesOf('?min_quality=51')).toEqual([51, expect.arrayContaining(['quality'])]);
  expect(await codesOf('?min_quality=50')).toEqual([50, ['findings']]);
  expect(await codesOf('')).toEqual([null, ['findings']]);
});

interface Refused extends CheckOptions {
  fields: Record<string, string>;
  codes: [number, string];
}

test.each<[string, Refused]>([
  ['an unknown project', { fields: { project_slug: 'nobody' }, codes: [404, 'project_not_found'] }],
  [
    'an unknown baseline',
    { fields: { project_id: projectId }, query: '?baseline=9', codes: [404, 'baseline_not_found'] },
  ],
  [
    'a baseline of no project',
    { fields: {}, query: '?baseline=1.0.0', codes: [404, 'baseline_not_found'] },
  ],
  [
    'a document that is too large',
    { fields: {}, file: 'x'.repeat(2_000_000), codes: [413, 'payload_too_large'] },
  ],
])('%s is refused', async (_what, { fields, codes, ...options }) => {
  expect((await check(fields, options)).codes).toEqual(codes);
});

test('wrong fields and parameters are told together', async () => {
  const { status, answer } = await check(
    { project_id: projectId, project_slug: 'web-shop' },
    { query: '?fail_on=most&failon=high' },
  );
  const told = (answer['detail'] as { loc: string[]; type: string }[]).map(
    ({ loc, type }) => `${loc.join('.')} ${type}`,
  );
  expect(status).toBe(422);
  expect(told.sort()).toEqual([
    'body.project_id value_error',
    'query.fail_on enum',
    'query.failon extra_forbidden',
  ]);
});

describe('a key', () => {
  async function headers(fields: object): Promise<Record<string, string>> {
    const response = await gateway.call('POST', '/api/v1/api-keys', {
      body: JSON.stringify(fields),
      headers: { 'content-type': 'application/json' },
    });
    const { key } = (await response.json()) as { key: string };
    return { authorization: `Bearer ${key}` };
  }

  test('needs the scope upload', async () => {
    const reading = await headers({ scopes: ['read', 'write'] });
    expect((await check({}, { headers: reading })).codes).toEqual([403, 'insufficient_scope']);
    expect((await check({}, { headers: await headers({ scopes: ['upload'] }) })).status).toBe(200);
  });

  test('that is bound to a project sees no other', async () => {
    const bound = await headers({ scopes: ['upload'], project_id: projectId });
    const of = (project_id: string) => check({ project_id }, { headers: bound });
    expect((await of(projectId)).status).toBe(200);
    expect((await of(otherProjectId)).codes).toEqual([404, 'project_not_found']);
  });
});

test('checks take turns, and all are answered', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => check({})));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
});
