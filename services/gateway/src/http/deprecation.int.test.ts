import { loadContract, openapiDocument } from '@bomtrail/api-contract';
import { projectId, missingId } from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

const httpDate = 'Wed, 30 Jun 2027 00:00:00 GMT';
const path = `/api/v1/projects/${projectId}`;
let gateway: TestGateway;
let undeprecated: TestGateway;

/** The contract with the reading of a project deprecated. Only these tests know such a one. */
function deprecatingDocument(): object {
  const document = openapiDocument() as { paths: Record<string, { get: object }> };
  const operation = document.paths['/api/v1/projects/{project_id}']?.get ?? {};
  Object.assign(operation, { deprecated: true, 'x-removal-date': '2027-06-30' });
  return document;
}

beforeAll(async () => {
  gateway = await startGateway({}, { contract: loadContract({ document: deprecatingDocument() }) });
  undeprecated = await startGateway();
  fakeServices(gateway.bus);
  fakeServices(undeprecated.bus);
});
afterAll(async () => {
  await gateway?.stop();
  await undeprecated?.stop();
});

const datesOn = ({ headers }: Response) => [headers.get('deprecation'), headers.get('sunset')];

test('a deprecated operation works as before and tells when it will be removed', async () => {
  const [before, now] = await Promise.all([
    undeprecated.call('GET', path),
    gateway.call('GET', path),
  ]);
  expect(now.status).toBe(200);
  expect(await now.json()).toEqual(await before.json());
  expect(datesOn(now)).toEqual([httpDate, httpDate]);
  expect(datesOn(before)).toEqual([null, null]);
});

test.each<[string, string, number, string, RequestInit?]>([
  ['GET', 'without a key', 401, path, { headers: { authorization: '' } }],
  ['GET', 'of a wrong id', 422, '/api/v1/projects/no-uuid'],
  ['GET', 'of an unknown id', 404, `/api/v1/projects/${missingId}`],
  ['HEAD', 'without its body', 200, path],
])('so do its other answers: %s %s is %i', async (...[method, , status, at, init = {}]) => {
  const response = await gateway.call(method, at, init);
  expect(response.status).toBe(status);
  expect(datesOn(response)).toEqual([httpDate, httpDate]);
});

test.each([
  ['PATCH', path, 422],
  ['PUT', path, 405],
  ['OPTIONS', path, 204],
  ['GET', '/api/v1/projects', 200],
  ['GET', `${path}/history`, 200],
])('no other operation tells it: %s %s', async (method, at, status) => {
  const response = await gateway.call(method, at);
  expect(response.status).toBe(status);
  expect(datesOn(response)).toEqual([null, null]);
});

test('the served contract says it too', async () => {
  const { paths } = (await (await gateway.call('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, { get: object }>;
  };
  expect(paths['/api/v1/projects/{project_id}']?.get).toMatchObject({
    deprecated: true,
    'x-removal-date': '2027-06-30',
  });
});
