import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { v7 as newId } from 'uuid';
import { observation } from '../domain/testing';
import type { TrackedVulnerability } from '../domain/types';
import { toSnapshot } from '../domain/snapshot';
import { createServiceStateStore } from './service-state-store';
import type { ServiceChange } from './write-changes';
import { createStatusCounts } from './status-counts';

let servers: TestServers;
let client: MongoClient;
let writes: string[] = [];

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  client.on('commandStarted', ({ command, commandName }) => {
    if (commandName === 'insert' || commandName === 'update' || commandName.endsWith('Transaction'))
      writes.push(String(command[commandName]));
  });
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

function openVulnerability(): TrackedVulnerability {
  const seen = observation('lodash@1.0.0 GHSA-1');
  return {
    id: newId(),
    package_key: seen.package_key,
    origin: 'GHSA-1',
    identity: ['GHSA-1'],
    presence: [{ from: 1, to: null }],
    first_seen_at: new Date(1e12).toISOString(),
    last_seen: null,
    snapshot: toSnapshot([seen]),
    status: 'open',
    merged_into: null,
  };
}

function changeOf(service: { service_id: string; project_id: string }): ServiceChange {
  return {
    ...service,
    head: null,
    revision: 1,
    vulnerabilities: [openVulnerability()],
    replacedVersions: [],
  };
}

/** From here on the share conflicts only with those that are at work at the same moment. */
const shareBeforeVulnerabilities = [
  'service_states',
  'count_totals',
  'tracked_vulnerabilities',
  '1',
];

describe('A change of a service', () => {
  test('updates its share of the open counts before its vulnerabilities, alone and in a batch', async () => {
    const db = client.db(`${servers.prefix}shares`);
    const database = { db, client, isUp: async () => true };
    const states = createServiceStateStore(database);
    const services = Array.from({ length: 4 }, () => ({
      service_id: newId(),
      project_id: newId(),
    }));
    const [first, ...others] = services.map(changeOf);
    expect(await states.save({ state: null, vulnerabilities: [] }, first as ServiceChange)).toBe(
      'saved',
    );
    expect(writes.slice(-shareBeforeVulnerabilities.length)).toEqual(shareBeforeVulnerabilities);
    writes = [];
    const saved = others.map((change) => states.save({ state: null, vulnerabilities: [] }, change));
    expect(await Promise.all(saved)).toEqual(['saved', 'saved', 'saved']);
    // Three that come at once are one write.
    expect(writes).toEqual(['known_projects', ...shareBeforeVulnerabilities]);
    const open = Object.values(await createStatusCounts(db).all()).filter((count) => count > 0);
    expect(open).toEqual([4]);
  });
});
