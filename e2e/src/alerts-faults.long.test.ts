import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { listDeliveries, previewAlertRule } from '@bomtrail/messages';
import { eventually, type AcceptedMessage } from '@bomtrail/testkit';
import {
  patienceMs,
  startNotifierBench,
  type FakeReceiver,
  type NotifierBench,
} from './support/alerts/notifier-bench';
import { passed, type Fault, type NotifierProcess } from './support/alerts/notifier-process';
import type { FakeServiceState } from './support/alerts/fake-service-state';
import { namesIn, notificationCounts } from './support/alerts/notified-names';

/** In full: `BOMTRAIL_TEST_ALERT_CHECKS=50 BOMTRAIL_TEST_ALERT_KILLS=all BOMTRAIL_TEST_ALERT_PAUSES=real`. */
const { BOMTRAIL_TEST_ALERT_CHECKS, BOMTRAIL_TEST_ALERT_KILLS, BOMTRAIL_TEST_ALERT_PAUSES } =
  process.env;
const checks = Number(BOMTRAIL_TEST_ALERT_CHECKS ?? 6);
const everyMoment = BOMTRAIL_TEST_ALERT_KILLS === 'all';
const realPauses = BOMTRAIL_TEST_ALERT_PAUSES === 'real';
jest.setTimeout(3 * patienceMs);
/** After the second one only the clock can say that the lease is over: the pause must be a real one. */
const pausesBeforeSending = ['told list-alert-periods', ...(realPauses ? ['find told done'] : [])];
/** In the last two the others wait until the database gives up the transaction, which takes a minute. */
const pausesAfterSending = [
  'answered',
  ...(realPauses ? ['in transaction: update leases', 'commitTransaction'] : []),
];

let bench: NotifierBench;
let names = 0;

beforeAll(async () => {
  bench = await startNotifierBench();
});

afterAll(() => bench?.stop());

function newName(): string {
  names += 1;
  return `CVE-2026-${10_000 + names}`;
}

/** Of a rule: how many episodes its sent deliveries told together, and how many it keeps as told. */
async function recordsOf(rule_id: string): Promise<{ sent: number; facts: number }> {
  const deliveries = bench.database.collection<{ total: number }>('deliveries');
  const sent = await deliveries.find({ rule_id, kind: 'alert', outcome: 'sent' }).toArray();
  const facts = await bench.database.collection('notifications').countDocuments({ rule_id });
  return { sent: sent.reduce((sum, { total }) => sum + total, 0), facts };
}

const recorded = 'commitTransaction done';
/** A message names ten, so no more may wait for one. */
const untoldAtMost = 8;

/** Every moment at which a new process can be killed, from its first question until it has recorded what it told. */
async function momentsOfCheck(openNext: () => void): Promise<Omit<Fault, 'signal'>[]> {
  openNext();
  const { moments, end } = await undisturbed();
  const begin = moments.indexOf('ask list-service-states');
  return Array.from({ length: end - begin }, (_, n) => ({ at: null, after: begin + n }));
}

/** A new process that lives until it has told and recorded what is new. */
async function undisturbed(): Promise<{ moments: readonly string[]; end: number }> {
  await bench.expireLeases();
  const one = bench.start();
  const answered = await passed(one, 'answered', { within: patienceMs });
  const end = await passed(one, recorded, { from: answered, within: patienceMs });
  await one.end();
  return { moments: one.moments, end };
}

const receivers: FakeReceiver[] = [
  { slack: 'killed' },
  { teams: 'killed' },
  { signed: 'killed' },
  { pagerduty: 'K0'.repeat(16) },
];

/** By what a receiver knows a message that it has already: undefined where it cannot. */
function idOf({ body }: AcceptedMessage): string | undefined {
  const { id, dedup_key } = body as { id?: string; dedup_key?: string };
  return id ?? dedup_key;
}

test.each(receivers)(
  'a notifier that is killed loses nothing, and repeats at most one message per kill between send and record: %j',
  async (receiver) => {
    const state = bench.newServiceState();
    const first = bench.start();
    const rule = await bench.newRule(state, receiver);
    await first.end();

    const opened: string[] = [];
    const openNext = (): void => {
      opened.push(newName());
      state.open(opened.at(-1) ?? '');
    };
    const faults = everyMoment
      ? await momentsOfCheck(openNext)
      : ['told list-alert-periods', 'answered', recorded].map((at) => ({ at, after: 0 }));
    let between = 0;
    for (const [n, fault] of faults.entries()) {
      if (n % untoldAtMost === untoldAtMost - 1) {
        openNext();
        await undisturbed();
      }
      openNext();
      await bench.expireLeases();
      const one = bench.start({ fault: { ...fault, signal: 'SIGKILL' } });
      await eventually(() => one.endedBy() !== null, {
        what: `a kill at ${JSON.stringify(fault)}`,
      });
      await one.end();
      expect(one.endedBy()).toBe('SIGKILL');
      if (everyMoment) await bench.expireTransactions();
      const sent = one.moments.indexOf('send');
      const isRecorded = sent >= 0 && one.moments.indexOf(recorded, sent) >= 0;
      if (sent >= 0 && sent < one.moments.length - 1 && !isRecorded) between += 1;
    }
    // Without anything new between, the repeated message has the id of the first one (docs/rules.md AL7).
    openNext();
    await undisturbed();
    openNext();
    await bench.expireLeases();
    const killed = bench.start({ fault: { at: 'answered', after: 0, signal: 'SIGKILL' } });
    await eventually(() => killed.endedBy() !== null, { what: 'a kill after sending' });
    if (everyMoment) await bench.expireTransactions();
    between += 1;
    await undisturbed();
    const [once, again] = bench.takenBy(receiver).slice(-2);
    expect(namesIn(again!)).toEqual(namesIn(once!));
    expect(idOf(again!)).toBe(idOf(once!));
    openNext();
    await bench.expireLeases();
    bench.start();
    await eventually(
      () => expect([...notificationCounts(bench.takenBy(receiver)).keys()]).toEqual(opened),
      {
        what: 'everything is told',
      },
    );
    await bench.checkedAgain(state);

    const known = new Set<string>();
    let repeats = 0;
    for (const message of bench.takenBy(receiver)) {
      const notified = namesIn(message);
      if (notified.some((name) => known.has(name))) repeats += 1;
      for (const name of notified) known.add(name);
    }
    expect(between).toBeGreaterThan(0);
    expect(repeats).toBeGreaterThan(0);
    expect(repeats).toBeLessThanOrEqual(between);
    await bench.deleteRules([rule]);
    await bench.endAll();
  },
);

describe('three notifiers', () => {
  let three: NotifierProcess[];

  beforeAll(async () => {
    await bench.endAll();
    three = [bench.start(), bench.start(), bench.start()];
  });

  test(`tell each vulnerability once per rule in ${checks} checks, also one that comes again`, async () => {
    const state = bench.newServiceState();
    await bench.newRule(state, { slack: 'all' }, 'low');
    await bench.newRule(state, { slack: 'critical' }, 'critical');
    await bench.newRule(state, { mail: 'three@example.org' }, 'medium');
    const expected = { all: new Map<string, number>(), critical: new Map<string, number>() };
    const open = (name: string, severity: 'critical' | 'medium'): void => {
      state.open(name, severity);
      const sets = severity === 'critical' ? [expected.all, expected.critical] : [expected.all];
      for (const set of sets) set.set(name, (set.get(name) ?? 0) + 1);
    };
    const everywhere = async (): Promise<void> => {
      await eventually(
        () => {
          expect(notificationCounts(bench.inChannel('all'))).toEqual(expected.all);
          expect(notificationCounts(bench.toMailbox('three@example.org'))).toEqual(expected.all);
          expect(notificationCounts(bench.inChannel('critical'))).toEqual(expected.critical);
        },
        { what: 'everything is told, and once' },
      );
    };
    const again = newName();
    for (let check = 0; state.looks() < checks; check++) {
      const before = state.looks();
      if (check % 4 === 0) {
        await everywhere();
        open(again, 'critical');
      }
      open(newName(), 'critical');
      open(newName(), 'medium');
      await eventually(() => state.looks() > before, {
        what: 'the next check',
      });
    }
    await bench.checkedAgain(state);
    await everywhere();
  });

  /** Lets whoever holds the lease stop itself at a moment, until another one has told what is new. */
  async function pause(state: FakeServiceState, { channel, at }: { channel: string; at: string }) {
    const notified = async (name: string): Promise<void> => {
      await eventually(() => (notificationCounts(bench.inChannel(channel)).get(name) ?? 0) > 0, {
        what: `${name} is told`,
      });
    };
    const before = newName();
    state.open(before);
    await notified(before);
    await bench.checkedAgain(state);

    const from = three.map(({ moments }) => moments.length);
    await Promise.all(three.map((one) => one.arm({ at, after: 0, signal: 'SIGSTOP' })));
    const during = newName();
    state.open(during);
    const stopped = await eventually(
      () => {
        const found = three.find(({ moments }, index) => moments.includes(at, from[index]));
        if (!found) throw new Error('none has');
        return found;
      },
      { what: `one comes to "${at}"` },
    );
    await Promise.all(three.filter((one) => one !== stopped).map((one) => one.arm(null)));
    if (!realPauses) await bench.expireLeases();
    const looks = state.looks();
    await eventually(() => state.looks() > looks, {
      what: 'another one checks',
    });
    await notified(during);
    await bench.checkedAgain(state);
    const resumedAt = stopped.moments.length;
    stopped.kill('SIGCONT');
    await eventually(() => stopped.moments.length > resumedAt, {
      what: 'the paused one goes on',
    });
    await bench.checkedAgain(state);
    await bench.checkedAgain(state);
    return { during, after: stopped.moments.slice(resumedAt) };
  }

  test.each(pausesBeforeSending)(
    'of which one that holds the lease is paused after it has read, at "%s": another one tells, and it tells nothing more',
    async (at) => {
      const state = bench.newServiceState();
      const channel = `paused-read-${pausesBeforeSending.indexOf(at)}`;
      await bench.newRule(state, { slack: channel });
      const { during, after } = await pause(state, { channel, at });
      expect(notificationCounts(bench.inChannel(channel)).get(during)).toBe(1);
      expect(after).not.toContain('send');
    },
  );

  test.each(pausesAfterSending)(
    'of which one is paused between send and record, at "%s": one repeat, and what it would record is refused',
    async (at) => {
      const state = bench.newServiceState();
      const rule = await bench.newRule(state, { slack: 'paused-sent' });
      const { during, after } = await pause(state, { channel: 'paused-sent', at });
      expect(notificationCounts(bench.inChannel('paused-sent')).get(during)).toBe(2);
      expect(after).not.toContain('commitTransaction done');
      const { sent, facts } = await recordsOf(rule);
      expect(sent).toEqual(facts);
    },
  );
});

describe('a webhook that leads inside', () => {
  let inside: Server;
  let port: number;
  let connections = 0;

  beforeAll(async () => {
    await bench.endAll();
    inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    ({ port } = inside.address() as AddressInfo);
  });

  afterEach(() => bench.endAll());

  afterAll(() => new Promise((resolve) => inside.close(resolve)));

  /** The reasons for which the messages of rules with these webhooks failed, once all of them did. */
  async function failures(webhooks: readonly string[]): Promise<(string | null | undefined)[]> {
    const state = bench.newServiceState();
    const rules: string[] = [];
    for (const webhook of webhooks) rules.push(await bench.newRule(state, { webhook }));
    state.open(newName());
    const reasons = await Promise.all(
      rules.map((alert_id, n) =>
        eventually(
          async () => {
            const body = { alert_id, of_project: null, page: 1, per_page: 25 };
            const { items } = (await bench.bus.request(listDeliveries, body)).body;
            expect(items).not.toEqual([]);
            expect(items.filter(({ outcome }) => outcome !== 'failed')).toEqual([]);
            return items[0]?.reason;
          },
          { what: `${webhooks[n]} fails` },
        ),
      ),
    );
    await bench.deleteRules(rules);
    return reasons;
  }

  test('by itself, or by what its name resolves to, is not connected to', async () => {
    const hosts = {
      'loopback.example.org': '127.0.0.1',
      'metadata.example.org': '169.254.169.254',
      'private.example.org': '10.0.0.7',
      'mapped.example.org': '::ffff:127.0.0.1',
    };
    const env = {
      ALERT_ALLOW_PRIVATE_WEBHOOKS: 'false',
      BOMTRAIL_TEST_HOSTS: JSON.stringify(hosts),
    };
    bench.start({ env });
    const reasons = await failures(
      Object.keys(hosts).map((host) => `https://${host}:${port}/services/T0/B0/x`),
    );
    for (const reason of reasons) expect(reason).toMatch(/resolves to an internal address/);

    const state = bench.newServiceState();
    const places = [
      'http://169.254.169.254',
      `https://127.0.0.1:${port}`,
      `https://localhost:${port}`,
    ];
    const rules: string[] = [];
    for (const receiver of places)
      rules.push(await bench.newRule(state, { webhook: `${receiver}/x` }));
    state.open(newName());
    await bench.checkedAgain(state);
    for (const alert_id of rules) {
      const { body } = await bench.bus.request(previewAlertRule, { alert_id, of_project: null });
      expect(body).toMatchObject({ can_send: false, total: 1 });
    }
    await bench.deleteRules(rules);
    expect(connections).toBe(0);
  });

  test('by a redirect is not followed, even where internal addresses are allowed', async () => {
    bench.start();
    const redirecting = createHttpServer((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const { port: transport } = redirecting.address() as AddressInfo;
    const [reason] = await failures([`http://127.0.0.1:${transport}/hook`]);
    expect(reason).toMatch(/redirect/);
    expect(connections).toBe(0);
    redirecting.closeAllConnections();
    await new Promise((resolve) => redirecting.close(resolve));
  });
});
