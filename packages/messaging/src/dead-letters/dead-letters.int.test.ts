import { AppError, scanCompleted, type SbomReference } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import { consumes, openEventTransport, type RunningConsumer } from '../consume';
import { encodeFrame } from '../frame';
import { aReference, consumerOf } from '../testing/references';
import { createBatcher } from '@bomtrail/concurrency';
import { createDeadLetters, type DeadLetter, type DeadLetters } from './letters';
import { parseDeadLettersCommand } from './parse-command';
import { runDeadLettersCommand } from './run-command';

let servers: TestServers;
let bus: TestBus;
let letters: DeadLetters;
const running: RunningConsumer[] = [];

beforeAll(async () => {
  servers = await startTestServers();
  bus = await connectTestBus(servers.natsUrl);
  letters = createDeadLetters(bus.connection);
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  await bus.connection.manager.streams.purge('EVENTS');
});
afterAll(async () => {
  await bus?.close();
  await servers?.stop();
});

type Handle = (scan: SbomReference) => Promise<void>;

function consume(
  durable: string,
  handle: Handle,
  giveUp?: (scan: SbomReference, reason: string) => Promise<void>,
): void {
  const transport = consumes(consumerOf(durable), { handle, ...(giveUp ? { giveUp } : {}) });
  running.push(openEventTransport(bus.connection, transport));
}

async function lettersOf(consumer: string): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for await (const letter of letters.list(consumer)) found.push(letter);
  return found;
}

const someLetters = (consumer: string, count = 1): Promise<DeadLetter[]> =>
  eventually(
    async () => {
      const found = await lettersOf(consumer);
      if (found.length < count) throw new Error(`${found.length} so far`);
      return found;
    },
    { what: `${count} dead letters of ${consumer}` },
  );

/** Runs the command; gives its exit code and what it wrote. */
async function command(
  typed: string,
): Promise<{ code: number; out: string[]; complaints: string[] }> {
  const [out, complaints]: string[][] = [[], []];
  const deps = {
    letters,
    print: (line: string) => void out?.push(line),
    complain: (line: string) => void complaints?.push(line),
  };
  const code = await runDeadLettersCommand(deps, parseDeadLettersCommand(typed.split(' ')));
  return { code, out: out ?? [], complaints: complaints ?? [] };
}

async function counted(consumer: string): Promise<number> {
  const { values } = await bus.connection.metrics.deadLetters.get();
  return values.find(({ labels }) => labels.consumer === consumer)?.value ?? NaN;
}

test('a dead letter contains message, subject, consumer, reason, attempts and time, and is counted', async () => {
  consume('a-letter', async () => {
    throw new Error('broken\ntwice');
  });
  const began = Date.now();
  expect(await counted('a-letter')).toBe(0);
  await bus.publish(scanCompleted, aReference(1));
  const [letter] = await someLetters('a-letter');
  expect(letter).toMatchObject({
    consumer: 'a-letter',
    subject: 'scan.completed.v1.upload',
    attempts: 2,
    reason: 'broken twice',
  });
  expect(letter?.body).toEqual(encodeFrame({ json: aReference(1), attachment: null }));
  expect(Math.abs(Number(letter?.at) - began)).toBeLessThan(20_000);
  expect(await counted('a-letter')).toBe(1);
});

test('the public reason contains no internal details', async () => {
  const complaints: string[] = [];
  consume(
    'in-words',
    async ({ sbom_id }) => {
      if (sbom_id === aReference(2).sbom_id) throw new Error('mongodb://user:secret@host');
      throw new AppError('sbom_not_found', 'Its components are gone.');
    },
    async (_scan, reason) => void complaints.push(reason),
  );
  await bus.publish(scanCompleted, aReference(2));
  await bus.publish(scanCompleted, aReference(3));
  const reasons = (await someLetters('in-words', 2)).map(({ reason }) => reason);
  expect(reasons.sort()).toEqual(['Its components are gone.', 'mongodb://user:secret@host']);
  expect(complaints.sort()).toEqual(['An internal error occurred.', 'Its components are gone.']);
});

test('dead letters of a recreated stream are not taken for duplicates of earlier ones', async () => {
  consume('again-from-one', async () => {
    throw new AppError('sbom_not_found');
  });
  const { streams } = bus.connection.manager;
  for (const count of [1, 2]) {
    await streams.delete('EVENTS');
    await bus.publish(scanCompleted, aReference(4));
    expect((await streams.info('EVENTS')).state.last_seq).toBe(1);
    await someLetters('again-from-one', count);
  }
});

test('good messages are handled while poisoned ones back off, even in shared writes', async () => {
  const good = Array.from({ length: 60 }, (_, n) => aReference(100 + n));
  const isPoison = ({ sbom_id }: SbomReference): boolean => sbom_id === aReference(99).sbom_id;
  const done = new Set<string>();
  const write = createBatcher<SbomReference, void>(async (scans) => {
    if (scans.some(isPoison)) throw new Error('one of these is poisoned');
    for (const { sbom_id } of scans) done.add(sbom_id);
    return scans.map(() => undefined);
  }, 500);
  const transport = consumes(
    { ...consumerOf('poisoned'), maxAttempts: 8, concurrency: 8 },
    {
      handle: write,
    },
  );
  for (const scan of [...good.slice(0, 20), aReference(99), ...good.slice(20)])
    await bus.publish(scanCompleted, scan);
  running.push(openEventTransport(bus.connection, transport));
  await eventually(() => done.size === good.length, {
    what: 'all that is good is done',
  });
  expect(await lettersOf('poisoned')).toEqual([]);
});

describe('the command', () => {
  let broken = true;
  const handled: string[] = [];
  let ids: number[];

  beforeAll(async () => {
    consume('healed', async ({ sbom_id }) => {
      if (broken) throw new AppError('sbom_not_found', 'Not there.');
      handled.push(sbom_id);
    });
    for (const n of [5, 6, 7]) await bus.publish(scanCompleted, aReference(n));
    ids = (await someLetters('healed', 3)).map(({ id }) => id);
  });

  test('lists and prints', async () => {
    const listed = await command('list --consumer healed');
    expect(listed).toMatchObject({ code: 0, complaints: [] });
    expect(listed.out.at(-1)).toBe('3 dead letters.');
    expect(listed.out[0]).toMatch(
      new RegExp(`^${ids[0]}  .*Z  healed  1 attempt  scan.completed.v1.upload  Not there.$`),
    );
    expect((await command('list')).out.length).toBeGreaterThan(listed.out.length);
    const shown = await command(`show ${ids[1]}`);
    expect(shown.code).toBe(0);
    expect(shown.out.at(-1)).toBe(`message: ${JSON.stringify(aReference(6))}`);
  });

  test('reports missing ids, processes the others and exits with 1', async () => {
    expect(await command('show 9999')).toEqual({
      code: 1,
      out: [],
      complaints: ['No dead letter 9999.'],
    });
    expect(await command(`drop 9999 ${ids[2]}`)).toEqual({
      code: 1,
      complaints: ['No dead letter 9999.'],
      out: [`${ids[2]} of healed dropped.`, '1 dropped, 1 failed.'],
    });
    expect(await lettersOf('healed')).toHaveLength(2);
  });

  test('replays within the deduplication window, then removes the dead letter', async () => {
    consume('healed', async ({ sbom_id }) => void handled.push(sbom_id));
    broken = false;
    expect(await command(`replay ${ids[0]}`)).toEqual({
      code: 0,
      complaints: [],
      out: [`${ids[0]} replayed to scan.completed.v1.upload.`, '1 replayed.'],
    });
    await eventually(() => handled.includes(aReference(5).sbom_id), {
      what: 'it is handled',
    });
    expect(await command('replay --all --consumer healed')).toMatchObject({ code: 0 });
    await eventually(() => handled.includes(aReference(6).sbom_id), {
      what: 'the other one is handled',
    });
    expect(await command('list --consumer healed')).toMatchObject({ out: ['0 dead letters.'] });
  });

  test('keeps a dead letter that cannot be published', async () => {
    const consumer = consumerOf('kept');
    running.push(
      openEventTransport(
        bus.connection,
        consumes(consumer, { handle: async () => Promise.reject(new AppError('sbom_not_found')) }),
      ),
    );
    await bus.publish(scanCompleted, aReference(8));
    const [letter] = await someLetters('kept');
    for (const one of running.splice(0)) await one.stop();
    await bus.connection.manager.streams.delete('EVENTS');
    const { code, complaints } = await command(`replay ${letter?.id}`);
    expect({ code, complaints }).toEqual({
      code: 1,
      complaints: [expect.stringMatching(/^\d+ was not replayed: /)],
    });
    expect(await lettersOf('kept')).toHaveLength(1);
    await bus.connection.ensureStream('EVENTS');
  });
});
