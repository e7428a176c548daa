import { createLogger, withContext } from '@bomtrail/telemetry';
import { MongoClient } from 'mongodb';
import { createApiKeysStore } from '../api-keys/store/api-keys-store';
import { createAuditStore } from '../audit/store/audit-store';
import { projectId } from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import { createAuditTrail } from '../audit/audit-calls';
import { parseKeysCommand } from './parse-keys-command';
import { runKeysCommand } from './run-keys-command';

let gateway: TestGateway;
let client: MongoClient;

beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
  client = await new MongoClient(gateway.servers.mongoUri).connect();
});
afterAll(async () => {
  await client?.close();
  await gateway?.stop();
});

/** Runs the command as it is typed; gives what it writes. */
async function keys(...args: string[]): Promise<string> {
  const now = () => new Date();
  const db = client.db(`${gateway.servers.prefix}gateway`);
  const log = createLogger({ service: 'keys', level: 'fatal', format: 'text' });
  const audit = createAuditStore(db);
  const printed: string[] = [];
  const deps = {
    request: gateway.bus.request,
    now,
    invalidateKey: () => {},
    say: () => {},
    keys: createApiKeysStore({ db, client, isUp: async () => true }),
    trail: createAuditTrail({ audit, log, now, projectOf: async () => null }),
    print: (text: string) => void printed.push(text),
  };
  await withContext({}, () => runKeysCommand(deps, parseKeysCommand(args, now())));
  return printed.join('\n');
}

/** Of the newest entry: what was done with which things, and how it ended. */
async function newestEntry(): Promise<unknown[]> {
  const response = await gateway.call('GET', '/api/v1/audit?per_page=1');
  const { items } = (await response.json()) as { items: Record<string, unknown>[] };
  const [entry] = items;
  return [entry?.['protocol'], entry?.['operation'], entry?.['resources'], entry?.['outcome']];
}

describe('The entry of a command tells which key it is about', () => {
  test.each(['id', 'prefix'] as const)(
    'when it is made, and when it is revoked by %s',
    async (by) => {
      const key = await keys('create', '--project', projectId);
      const made = await gateway.keys.findOne({ prefix: key.slice(3, 15) });
      const about = { api_key_id: made?._id, project_id: projectId };
      expect(await newestEntry()).toEqual(['command', 'createApiKey', about, 'succeeded']);
      await keys('revoke', String(by === 'id' ? made?._id : made?.prefix));
      expect(await newestEntry()).toEqual(['command', 'deleteApiKey', about, 'succeeded']);
    },
  );

  test('also when there is none with the id', async () => {
    const api_key_id = '0197c1f0-5e4d-7c3b-a091-2c3d4e5f6a7b';
    await expect(keys('revoke', api_key_id)).rejects.toMatchObject({ code: 'api_key_not_found' });
    expect(await newestEntry()).toEqual(['command', 'deleteApiKey', { api_key_id }, 'refused']);
  });
});
