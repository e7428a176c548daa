import { checkResponse } from '@bomtrail/api-contract';
import { fakeServices } from '../testing/fake-services';
import * as harness from '../testing/fake-data';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

/** The status, and `Warning`, of a project with rules about these licences. */
async function write(method: 'POST' | 'PATCH', ...licenses: string[]) {
  const rules = licenses.map((license) => ({ license, action: 'deny' }));
  const path = method === 'POST' ? '' : `/${harness.projectId}`;
  const response = await gateway.call(method, `/api/v1/projects${path}?x`, {
    body: JSON.stringify({ name: 'Shop', license_policy: { licenses: rules } }),
    headers: { 'content-type': 'application/json' },
  });
  const { status, headers } = response;
  const operationId = method === 'POST' ? 'createProject' : 'updateProject';
  const body = (await response.json()) as unknown;
  expect(checkResponse(gateway.contract, { operationId, status, body })).toEqual([]);
  return { status, warning: headers.get('warning') };
}

const ignored = `299 - "unknown query parameter 'x' is ignored"`;
const said = (license: string, similar = '') =>
  `299 - "license '${license}' is no SPDX id: the rule applies only to components that state this text${similar}"`;

test.each(['POST', 'PATCH'] as const)(
  'LP6: a %s stores a rule about no SPDX id, and says so beside other warnings, misspelt ones first',
  async (method) => {
    const { status, warning } = await write(method, 'Große "Lizenz"', 'GPL-3.0-onyl', 'MIT');
    expect(status).toBe(method === 'POST' ? 201 : 200);
    const texts = [
      ignored,
      said('GPL-3.0-onyl', '; similar: GPL-3.0-only'),
      said('Gro%C3%9Fe%20%22Lizenz%22'),
    ];
    expect(warning).toBe(texts.join(', '));
  },
);

test('LP6: known licences need no warning, and many unknown ones a short one', async () => {
  expect(await write('PATCH', 'GPL-3.0', 'LicenseRef-own')).toEqual({
    status: 200,
    warning: ignored,
  });
  const names = Array.from({ length: 500 }, (_, n) => `\uD800${n}${'ü'.repeat(240)}`);
  const { status, warning } = await write('PATCH', ...names);
  expect([status, warning?.split('299').length]).toEqual([200, 1 + 1 + 5 + 1]);
  expect(warning?.length).toBeLessThan(4_000);
  expect(warning).toContain('495 more rules are about no SPDX id');
});
