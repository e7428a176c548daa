import { randomUUID } from 'node:crypto';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { createAuditStore, type AuditEntryDocument } from './audit-store';

let servers: TestServers;
let client: MongoClient;
const commands: string[] = [];

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  client.on('commandStarted', ({ commandName }) => commands.push(commandName));
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});
beforeEach(() => {
  commands.length = 0;
});

function entry(): AuditEntryDocument {
  return {
    _id: randomUUID(),
    at: new Date(),
    key: null,
    protocol: 'rest',
    operation: 'uploadSbom',
    method: 'POST',
    path: '/x',
    resources: {},
    request_id: '',
    client: null,
    outcome: null,
  };
}

describe('What the log costs', () => {
  test.each([1, 100])('is two writes, for %d calls at once', async (calls) => {
    const audit = createAuditStore(client.db(`${servers.prefix}audit${calls}`));
    const entries = Array.from({ length: calls }, entry);
    await Promise.all(entries.map((one) => audit.insert(one)));
    const outcome = { kind: 'responded', status: 201, code: null, at: new Date() } as const;
    await Promise.all(
      entries.map(({ _id }) => audit.complete({ id: _id, outcome, resources: {} })),
    );
    expect(commands).toEqual(['insert', 'update']);
    const { items } = await audit.list({}, { skip: 0, limit: calls });
    expect(items.map((item) => item.outcome)).toEqual(Array(calls).fill(outcome));
  });
});
