import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '@bomtrail/mongo';
import { createLogger } from '@bomtrail/telemetry';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import type { Collection } from 'mongodb';
import { createAlertRuleStore } from './alert-rule-store';
import type { AlertRuleDocument } from './documents';

let servers: TestServers;
let database: Database;

beforeAll(async () => {
  servers = await startTestServers();
  database = await connectDatabase({
    settings: { MONGODB_URI: servers.mongoUri },
    name: `${servers.prefix}notifier`,
    log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
  });
  // A collection that is made within a transaction would decide the race by itself.
  for (const name of ['alert_rules', 'known_projects']) await database.db.createCollection(name);
});
afterAll(async () => {
  await database?.client.close();
  await servers?.stop();
});

function ruleOf(project_id: string): AlertRuleDocument {
  return {
    _id: randomUUID(),
    project_id,
    config: '{}',
    enabled: true,
    severity_threshold: 'high',
    by_severity: true,
    kev: false,
    min_epss: null,
    notification_type: 'email',
    created_at: new Date(),
    updated_at: null,
  };
}

/** The database, with something that happens each time before a rule is inserted. */
function withBeforeInsert(before: () => Promise<void>): Database {
  const collection = (name: string) => {
    const real = database.db.collection<AlertRuleDocument>(name);
    const insertOne: typeof real.insertOne = async (...insert) => {
      await before();
      return real.insertOne(...insert);
    };
    return intercepted<Collection<AlertRuleDocument>>(real, { insertOne });
  };
  return { ...database, db: intercepted(database.db, { collection }) };
}

function intercepted<Target extends object>(target: Target, own: object): Target {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(key in own ? own : target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Does a write of this database's projects try again and again because a transaction holds what it wants? */
async function someoneIsHeldOff(): Promise<boolean> {
  const ns = `${database.db.databaseName}.known_projects`;
  const { inprog } = await database.client
    .db('admin')
    .command({ currentOp: true, active: true, ns });
  return (inprog as { writeConflicts?: number }[]).some(
    ({ writeConflicts = 0 }) => writeConflicts > 0,
  );
}

test.each(['for the first time', 'once more'])(
  'a delete of a project waits for a rule that is being put into it %s, and takes it along',
  async (time) => {
    const projectId = randomUUID();
    const plain = createAlertRuleStore(database);
    if (time === 'once more') await plain.insert(ruleOf(projectId), 50);
    let isDeleted = false;
    const deletions: Promise<void>[] = [];
    const store = createAlertRuleStore(
      withBeforeInsert(async () => {
        if (deletions.length === 0) {
          const deletion = plain.deleteOfProject(projectId, new Date());
          deletions.push(deletion.then(() => void (isDeleted = true)));
        }
        const goneOrHeld = async () => isDeleted || someoneIsHeldOff();
        await eventually(goneOrHeld, { what: 'the delete is done or held off' });
      }),
    );
    expect(await store.insert(ruleOf(projectId), 50)).toBe('done');
    await Promise.all(deletions);
    expect(await plain.list(projectId, { skip: 0, limit: 10 })).toEqual({ items: [], total: 0 });
    expect(await plain.insert(ruleOf(projectId), 50)).toBe('gone');
  },
);

test('a rule is tried anew when a value of it became another one, and by nothing else', async () => {
  const store = createAlertRuleStore(database);
  const retry_state = {
    undelivered_since: new Date(1),
    failing_since: new Date(2),
    failures: 3,
    next_attempt_at: new Date(4),
  };
  const rule = { ...ruleOf(randomUUID()), retry_state };
  await store.insert(rule, 50);
  const named = { alert_id: rule._id, of_project: null };
  await store.update(named, { enabled: true, config: '{}', updated_at: new Date() }, 50);
  expect(await store.find(named)).toMatchObject({ retry_state });
  await store.update(named, { severity_threshold: 'low', updated_at: new Date() }, 50);
  expect((await store.find(named))?.retry_state).toMatchObject({
    failing_since: null,
    failures: 0,
  });
});
