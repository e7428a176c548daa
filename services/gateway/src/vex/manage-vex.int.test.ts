import { fakeServices } from '../testing/fake-services';
import { globalVexId, vexId } from '../testing/fake-vex';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

/** The status of withdrawing a document with a new key of these scopes. */
async function withdraw(id: string, scopes: string[]): Promise<number> {
  const made = await gateway.call('POST', '/api/v1/api-keys', {
    body: JSON.stringify({ scopes }),
    headers: { 'content-type': 'application/json' },
  });
  const { key } = (await made.json()) as { key: string };
  const headers = { authorization: `Bearer ${key}` };
  return (await gateway.call('DELETE', `/api/v1/vex/${id}`, { headers })).status;
}

test('a document for all projects is withdrawn, as it is imported, with the scope admin only', async () => {
  expect(await withdraw(vexId, ['write'])).toBe(204);
  expect(await withdraw(globalVexId, ['write'])).toBe(403);
  expect(await withdraw(globalVexId, ['admin'])).toBe(204);
});
