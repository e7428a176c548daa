import { randomUUID } from 'node:crypto';
import type { Publish } from '@bomtrail/messaging';
import { inTransaction } from '@bomtrail/mongo';
import { MongoClient } from 'mongodb';
import type { Registration } from '../domain/registration';
import { createDeletionStore } from '../store/deletion-store';
import { createHeadStore } from '../store/head-store';
import { createRegistrationStore } from '../store/registration-store';
import { createSbomStore } from '../store/sbom-store';
import { anySha, anyUpload, startCatalog, type TestCatalog } from '../testing/start-catalog';
import { createRegisterSbom } from './register-sbom';

let catalog: TestCatalog;
const clients: MongoClient[] = [];

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await catalog?.stop();
});

/** A process of its own, as far as registering goes, and the commands that it sends to MongoDB. */
function process(faults: Partial<ReturnType<typeof createHeadStore>> = {}) {
  const client = new MongoClient(catalog.servers.mongoUri, { monitorCommands: true });
  clients.push(client);
  const commands: string[] = [];
  const ofTheSession = ['hello', 'ping', 'endSessions', 'ismaster'];
  client.on('commandStarted', ({ commandName }) => {
    if (!ofTheSession.includes(commandName)) commands.push(commandName);
  });
  const db = client.db(catalog.database.db.databaseName);
  const requested: string[] = [];
  const publish: Publish = async (_definition, payload) => {
    requested.push((payload as { sbom_id: string }).sbom_id);
    return true;
  };
  const registerSbom = createRegisterSbom({
    heads: { ...createHeadStore(db), ...faults },
    registrations: createRegistrationStore({ db, client, isUp: async () => true }),
    sboms: createSbomStore(db),
    publish,
  });
  const register = (upload: Partial<Registration>) => registerSbom({ ...anyUpload(), ...upload });
  return { register, commands, requested };
}

/** The sequence numbers of each line of a project, by service; in it each SBOM is younger than the one before. */
async function sequencesOf(project_id: string): Promise<Record<string, number[]>> {
  const sequences: Record<string, number[]> = {};
  for (const service of await catalog.services.find({ project_id }).toArray()) {
    const sboms = await catalog.sboms.find({ service_id: service._id }).sort({ seq: 1 }).toArray();
    const last = sboms.at(-1);
    expect(service).toMatchObject({ seq: last?.seq, latest: { sbom_id: last?._id } });
    expect([service.sbom_count, service.seq]).toEqual([sboms.length, last?.seq]);
    sequences[service.name ?? ''] = sboms.map(({ seq }) => seq);
    const times = sboms.map(({ created_at }) => created_at.getTime());
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  }
  return sequences;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n + 1);
}

/** Takes turns. */
function oneOf<One>(list: readonly One[], n: number): One {
  const one = list[n % list.length];
  if (one === undefined) throw new Error('There is none.');
  return one;
}

describe('uploads at the same moment', () => {
  test('to new and existing services take one read and one transaction, with one scan request each', async () => {
    const { id: project_id } = await catalog.newProject();
    const { register, commands, requested } = process();
    await Promise.all(upTo(3).map((n) => register({ project_id, service_name: `s${n}` })));
    commands.length = 0;
    requested.length = 0;
    const results = await Promise.all(
      upTo(60).map((n) => register({ project_id, service_name: `s${n % 6}` })),
    );
    expect(commands.sort()).toEqual(
      ['find', 'find', 'update', 'insert', 'update', 'insert', 'commitTransaction'].sort(),
    );
    const ids = results.map(({ id }) => id);
    expect(new Set(requested)).toEqual(new Set(ids));
    expect(requested).toHaveLength(60);
    const [ten, eleven] = [upTo(10), upTo(11)];
    expect(await sequencesOf(project_id)).toEqual({
      s0: ten,
      s1: eleven,
      s2: eleven,
      s3: eleven,
      s4: ten,
      s5: ten,
    });
    const stored = await catalog.sboms.find({ _id: { $in: ids } }).toArray();
    const bySeq = new Map(stored.map(({ _id, seq }) => [_id, seq]));
    expect(results.filter((_, n) => n % 6 === 0).map(({ id }) => bySeq.get(id))).toEqual(
      eleven.slice(1),
    );
  });

  test('that repeat what is stored are a look at each collection and nothing else', async () => {
    const { id: project_id } = await catalog.newProject();
    const { register, commands, requested } = process();
    const same = { project_id, sha256: anySha(), version: '1.0' };
    const { id } = await register(same);
    commands.length = 0;
    requested.length = 0;
    const results = await Promise.all(upTo(50).map(() => register(same)));
    expect(new Set(results.map((result) => result.id))).toEqual(new Set([id]));
    expect(commands).toEqual(['find', 'find', 'find']);
    expect(requested).toEqual([]);
  });

  test('that are the same are one record, and in between another one they are two', async () => {
    const { id: project_id } = await catalog.newProject();
    const { register, requested } = process();
    const [a, b] = [anySha(), anySha()];
    const order = [a, a, b, b, a, a];
    const results = await Promise.all(order.map((sha256) => register({ project_id, sha256 })));
    const [first, , second, , third] = results.map(({ id }) => id);
    expect(results.map(({ id }) => id)).toEqual([first, first, second, second, third, third]);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await sequencesOf(project_id)).toEqual({ Checkout: [1, 2, 3] });
    expect(requested).toEqual([first, second, third]);
  });

  test('are stored once, whatever cannot be read beside them', async () => {
    const { id: project_id } = await catalog.newProject();
    const upToDate = async (): Promise<never> => {
      throw new Error('An election.');
    };
    const { register, requested } = process({ upToDate });
    const results = await Promise.all(upTo(3).map(() => register({ project_id })));
    expect(await sequencesOf(project_id)).toEqual({ Checkout: [1, 2, 3] });
    expect(requested).toEqual(results.map(({ id }) => id));
  });

  test('are refused for the project that is not there, and only they', async () => {
    const [one, other] = [await catalog.newProject(), await catalog.newProject()];
    const { register } = process();
    await createDeletionStore(catalog.database).beginProject(other.id, new Date());
    const targets = [one.id, other.id, randomUUID(), one.id].map((project_id) => ({ project_id }));
    const results = await Promise.allSettled(
      [...targets, { project_slug: 'no-such' }, { project_slug: one.slug }].map((target) =>
        register({ ...target, service_name: null }),
      ),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'project_not_found' });
    }
    expect(await sequencesOf(one.id)).toEqual({ '': [1, 2, 3] });
  });
});

describe('uploads in several processes', () => {
  test('to the same services give sequences without a gap, and nothing twice', async () => {
    const projects = await Promise.all([catalog.newProject(), catalog.newProject()]);
    const processes = [process(), process(), process()];
    const uploads = upTo(240).map((n) => ({
      project_id: oneOf(projects, n).id,
      service_name: `s${n % 5}`,
      sha256: anySha(),
    }));
    const results = await Promise.all(
      uploads.map((upload, n) => oneOf(processes, n).register(upload)),
    );
    expect(new Set(results.map((result) => result.id)).size).toBe(240);
    const all = upTo(24);
    for (const { id } of projects) {
      expect(await sequencesOf(id)).toEqual({ s0: all, s1: all, s2: all, s3: all, s4: all });
    }
  });

  test('of the same bytes give one record', async () => {
    const { id: project_id } = await catalog.newProject();
    const processes = [process(), process()];
    const same = { project_id, sha256: anySha() };
    const results = await Promise.all(upTo(40).map((n) => oneOf(processes, n).register(same)));
    expect(new Set(results.map((result) => result.id)).size).toBe(1);
    expect(await sequencesOf(project_id)).toEqual({ Checkout: [1] });
  });
});

test('a project with an unfinished delete delays only its own uploads', async () => {
  const [one, other] = [await catalog.newProject(), await catalog.newProject()];
  const { register } = process();
  let waiting: Promise<unknown> = Promise.resolve();
  await inTransaction(catalog.database.client, async (session) => {
    await catalog.projects.deleteOne({ _id: other.id }, { session });
    waiting = register({ project_id: other.id }).catch((error: unknown) => error);
    await Promise.all(upTo(5).map(() => register({ project_id: one.id })));
  });
  expect(await waiting).toMatchObject({ code: 'project_not_found' });
  expect(await sequencesOf(one.id)).toEqual({ Checkout: [1, 2, 3, 4, 5] });
});
