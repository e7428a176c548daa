import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { AppError, rpc, scanCompleted, type SbomReference } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import { z } from 'zod';
import { consumes, openEventTransport } from './consume';
import { encodeFrame } from './frame';
import { handles, openRpcTransport } from './serve';
import { aReference, consumerOf } from './testing/references';

const text = z.object({ text: z.string() });
const echoOf = (name: string) =>
  ({ service: 'ingest', callers: ['gateway'], name, request: text }) as const;
const echo = rpc<{ size: number }>()(echoOf('echo.v1'));

let servers: TestServers;
let bus: TestBus;

beforeAll(async () => {
  servers = await startTestServers();
  bus = await connectTestBus(servers.natsUrl);
});

afterAll(async () => {
  await bus?.close();
  await servers?.stop();
});

describe('request and reply', () => {
  test('attachments larger than a message arrive unchanged in both directions', async () => {
    const bytes = randomBytes(3 * 1024 * 1024);
    const transport = openRpcTransport(
      bus.connection,
      handles(echo, async (_body, attachment) => ({
        body: { size: attachment?.length ?? 0 },
        attachment,
      })),
    );
    const answer = await bus.request(echo, { text: 'x' }, bytes);
    expect(answer.body.size).toBe(bytes.length);
    expect(Buffer.compare(Buffer.from(answer.attachment ?? []), bytes)).toBe(0);
    await transport.close();
  });

  test('an error arrives with its code; an unexpected one as internal_error without details', async () => {
    const transport = openRpcTransport(
      bus.connection,
      handles(echo, async ({ text }) => {
        throw text === 'known'
          ? new AppError('project_not_found', 'No such project.')
          : new Error('secret');
      }),
    );
    await expect(bus.request(echo, { text: 'known' })).rejects.toMatchObject({
      code: 'project_not_found',
      message: 'No such project.',
    });
    await expect(bus.request(echo, { text: 'unknown' })).rejects.toMatchObject({
      code: 'internal_error',
      message: 'Internal Server Error',
    });
    await transport.close();
  });

  test('a process that was paused does not do what was asked meanwhile, and then goes on', async () => {
    const hasty = rpc<{ size: number }>()({ ...echoOf('hasty.v1'), timeoutMs: 1_500 });
    const done: string[] = [];
    const transport = openRpcTransport(
      bus.connection,
      handles(hasty, async ({ text }) => {
        done.push(text);
        return { body: { size: done.length } };
      }),
    );
    await bus.request(hasty, { text: 'before' });
    const payload = Buffer.from(
      encodeFrame({ json: { text: 'meanwhile' }, attachment: null }),
    ).toString('base64');
    // Blocks this process until the caller has given up.
    execFileSync(
      process.execPath,
      [
        '-e',
        `require('@nats-io/transport-node').connect({ servers: '${servers.natsUrl}' }).then(async (nats) => {
        const asked = nats.request('${hasty.subject}', Buffer.from('${payload}', 'base64'), { timeout: 1600 });
        await asked.catch(() => undefined);
        await nats.close();
      })`,
      ],
      { cwd: __dirname },
    );
    await bus.connection.nats.flush();
    await eventually(() => bus.connection.pauses.waitedMs() === 0, { what: 'the pause is over' });
    expect((await bus.request(hasty, { text: 'after' })).body.size).toBe(2);
    expect(done).toEqual(['before', 'after']);
    await transport.close();
  });

  test('a caller waits for a service that is just starting', async () => {
    const asked = bus.request(echo, { text: 'early' });
    await eventually(
      async () => {
        openRpcTransport(
          bus.connection,
          handles(echo, async () => ({ body: { size: 7 } })),
        );
      },
      { within: 1000, what: 'the door opens' },
    );
    expect((await asked).body).toEqual({ size: 7 });
  });
});

describe('a long request', () => {
  const slow = rpc<{ size: number }>()({
    service: 'ingest',
    callers: ['gateway'],
    name: 'slow.v1',
    request: z.object({}),
    timeoutMs: 60_000,
  });

  test('is waited for as long as its process sends heartbeats', async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const signs: string[] = [];
    const watch = bus.connection.nats.subscribe('_INBOX_gateway.>', {
      callback: (_error, message) => {
        if (message.headers?.has('Bomtrail-Heartbeat')) signs.push(message.subject);
      },
    });
    const transport = openRpcTransport(
      bus.connection,
      handles(slow, async () => {
        await gate;
        return { body: { size: 1 } };
      }),
    );
    const asked = bus.request(slow, {});
    await eventually(() => signs.length >= 2, { what: 'two signs of life' });
    release();
    expect((await asked).body).toEqual({ size: 1 });
    await transport.close();
    watch.unsubscribe();
  });

  test('that its caller gives up is stopped if it is cancellable, also one that waits; others run on', async () => {
    const stoppable = rpc<{ size: number }>()({
      service: 'ingest',
      callers: ['gateway'],
      name: 'stoppable.v1',
      request: z.object({}),
      timeoutMs: 60_000,
      cancellable: true,
    });
    const log: string[] = [];
    const work = (name: string) => async (_: unknown, _bytes: unknown, gone: AbortSignal) => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve) => {
        gone.addEventListener('abort', () => resolve(), { once: true });
        setTimeout(resolve, 2_000);
      });
      log.push(`${name} ${gone.aborted ? 'stopped' : 'ended'}`);
      gone.throwIfAborted();
      return { body: { size: 1 } };
    };
    const limits = { running: 1, queued: 10, queuedBytes: 1024 };
    const transports = [
      openRpcTransport(bus.connection, handles(stoppable, work('stoppable')), limits),
      openRpcTransport(bus.connection, handles(slow, work('slow'))),
    ];
    const gone = new AbortController();
    const reason = new Error('enough');
    const given = [
      bus.request(stoppable, {}, undefined, gone.signal),
      bus.request(stoppable, {}, undefined, gone.signal),
      bus.request(slow, {}, undefined, gone.signal),
    ].map((one) => one.catch((error: unknown) => error));
    const kept = bus.request(stoppable, {});
    await eventually(() => log.length === 2, { what: 'one of each begins' });
    gone.abort(reason);
    expect(await Promise.all(given)).toEqual([reason, reason, reason]);
    expect((await kept).body).toEqual({ size: 1 });
    await Promise.all(transports.map((one) => one.close()));
    expect(log.sort()).toEqual(
      [
        ...['slow begins', 'slow ended', 'stoppable begins', 'stoppable stopped'],
        ...['stoppable begins', 'stoppable ended'],
      ].sort(),
    );
    await expect(bus.request(stoppable, {}, undefined, gone.signal)).rejects.toBe(reason);
  });

  test('fails at once when its connection is lost, and the next one works', async () => {
    let asked = 0;
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const transport = openRpcTransport(
      bus.connection,
      handles(slow, async () => {
        asked++;
        if (asked === 1) await gate;
        return { body: { size: asked } };
      }),
    );
    const lost = bus.request(slow, {}).then(
      () => null,
      (error: AppError) => error.code,
    );
    await eventually(() => asked === 1, { what: 'the question is in hand' });
    await servers.restartNats();
    expect(await lost).toBe('service_unavailable');
    expect((await bus.request(slow, {})).body).toEqual({ size: 2 });
    release();
    await transport.close();
  });
});

test('a response larger than a message arrives, and closing waits for requests in progress', async () => {
  const long = rpc<string[]>()({
    service: 'ingest',
    callers: ['gateway'],
    name: 'long.v1',
    request: z.object({}),
  });
  const lines = Array.from({ length: 30_000 }, (_, n) => `line ${n} ${'x'.repeat(40)}`);
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  let begun = false;
  const transport = openRpcTransport(
    bus.connection,
    handles(long, async () => {
      begun = true;
      await gate;
      return { body: lines };
    }),
  );
  const asked = bus.request(long, {});
  await eventually(() => begun, { what: 'the question is in hand' });
  const closed = transport.close();
  release();
  expect((await asked).body).toEqual(lines);
  await closed;
});

test('a process with a full queue rejects a request at once, and it can be repeated', async () => {
  const narrow = rpc<{ size: number }>()({
    service: 'ingest',
    callers: ['gateway'],
    name: 'narrow.v1',
    request: text,
  });
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let begun = 0;
  const transport = openRpcTransport(
    bus.connection,
    handles(narrow, async ({ text }) => {
      begun += 1;
      await held;
      return { body: { size: text.length } };
    }),
    { running: 1, queued: 1, queuedBytes: 1_000 },
  );
  const taken = [bus.request(narrow, { text: 'a' }), bus.request(narrow, { text: 'bc' })];
  await eventually(() => begun === 1, { what: 'the first one is in hand' });
  const refused = bus.request(narrow, { text: 'd' });
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect(refused).rejects.toThrow(/busy: repeat/);
  release();
  expect((await Promise.all(taken)).map(({ body }) => body.size)).toEqual([1, 2]);
  expect((await bus.request(narrow, { text: 'd' })).body.size).toBe(1);
  await transport.close();
});

describe('consumers', () => {
  const consumer = consumerOf('test-consumer');

  async function deadLetters(): Promise<string[]> {
    const { messages } = (await bus.connection.manager.streams.info('DEAD')).state;
    const reasons: string[] = [];
    for (let seq = 1; seq <= messages; seq++) {
      const letter = await bus.connection.manager.streams.getMessage('DEAD', { seq });
      reasons.push(letter?.header.get('Bomtrail-Reason') ?? '');
    }
    return reasons;
  }

  test('a failed message is retried, and finally dead-lettered with its reason', async () => {
    const tries = new Map<string, number>();
    const givenUp: string[] = [];
    const running = openEventTransport(
      bus.connection,
      consumes(consumer, {
        handle: async ({ sbom_id }) => {
          const count = (tries.get(sbom_id) ?? 0) + 1;
          tries.set(sbom_id, count);
          if (sbom_id === aReference(1).sbom_id && count === 1) throw new Error('only once');
          if (sbom_id === aReference(2).sbom_id) throw new Error('always');
        },
        giveUp: async ({ sbom_id }) => {
          givenUp.push(sbom_id);
        },
      }),
    );
    await bus.publish(scanCompleted, aReference(1));
    await bus.publish(scanCompleted, aReference(2));
    await bus.connection.jetstream.publish(
      'scan.completed.v1.upload',
      encodeFrame({ json: { no: 'sbom' }, attachment: null }),
    );
    await eventually(async () => (await deadLetters()).length === 2, {
      what: 'two dead letters',
    });
    expect((await deadLetters()).sort()).toEqual([
      'always',
      expect.stringMatching(/^cannot be decoded/),
    ]);
    await eventually(() => tries.get(aReference(1).sbom_id) === 2, {
      what: 'the other one is tried again',
    });
    expect(tries.get(aReference(2).sbom_id)).toBe(2);
    expect(givenUp).toEqual([aReference(2).sbom_id]);
    await running.stop();
  });

  test('a message published twice under its natural key is handled once', async () => {
    let handled = 0;
    const running = openEventTransport(
      bus.connection,
      consumes(
        { ...consumer, durable: 'test-once' },
        { handle: async ({ sbom_id }) => void (sbom_id === aReference(3).sbom_id && handled++) },
      ),
    );
    await bus.publish(scanCompleted, aReference(3));
    await bus.publish(scanCompleted, aReference(3));
    await bus.publish(scanCompleted, { ...aReference(3), attempt: 1 });
    await eventually(() => handled === 2, { what: 'the two attempts are handled' });
    await running.stop();
    expect(handled).toBe(2);
  });

  test('the single message of one project overtakes the backlog of another', async () => {
    const order: string[] = [];
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const durable = 'test-turns';
    const single = { ...aReference(50), project_id: aReference(51).project_id };
    const running = openEventTransport(
      bus.connection,
      consumes(
        { ...consumer, durable, fairnessKeyOf: ({ project_id }: SbomReference) => project_id },
        {
          handle: async ({ sbom_id }) => {
            await gate;
            order.push(sbom_id);
          },
        },
      ),
    );
    const backlog = Array.from({ length: 20 }, (_, n) => ({
      ...aReference(20 + n),
      project_id: aReference(20).project_id,
    }));
    for (const one of [...backlog, single]) await bus.publish(scanCompleted, one);
    const { manager } = bus.connection;
    await eventually(
      async () => (await manager.consumers.info('EVENTS', durable)).num_pending === 0,
      { what: 'the process holds all messages' },
    );
    release();
    const inOrder = (): string[] =>
      order.filter((id) => [...backlog, single].some(({ sbom_id }) => sbom_id === id));
    await eventually(() => inOrder().length === 21, { what: 'all are handled' });
    await running.stop();
    // Those that were at work, and one more whose turn it was.
    expect(inOrder().indexOf(single.sbom_id)).toBeLessThanOrEqual(5);
  });
});
