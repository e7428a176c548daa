import { randomUUID } from 'node:crypto';
import type { RunningService } from '@bomtrail/service-runtime';
import { eventually } from '@bomtrail/testkit';
import type { Replacements } from '../compose';
import { checkedAgain, until } from '../testing/checks';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';
import { alertLease } from './scheduler';

let notifier: TestNotifier;
const fast = { checkSeconds: 0.05, leaseSeconds: 4 };

beforeAll(async () => {
  notifier = await startNotifier({ processes: 0 });
});
afterAll(() => notifier?.stop());

interface LeaseDocument {
  _id: string;
  owner: string;
  token: number;
  expires_at: Date;
}
const leases = () => notifier.db.collection<LeaseDocument>('leases');
const lease = () => leases().findOne({ _id: alertLease });

/** A rule with something to tell, to a target of its own. */
async function newSetup() {
  const project_id = notifier.newProject();
  const service = notifier.reconciler.newService(project_id);
  const target = randomUUID();
  const row = notifier.reconciler.open(service, 'high');
  const { id } = await notifier.newRule({ project_id, config: { target } });
  return { project_id, service, target, row, id };
}

/** Holds the first message to a target on its way until the test lets it go. */
function holdFirst(target: string) {
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let isHeld = false;
  notifier.sink.answer(target, async () => {
    if (!isHeld) {
      isHeld = true;
      await held;
    }
    return { kind: 'sent' };
  });
  return { letGo, until: () => until('a message is on its way', () => isHeld) };
}

/** Runs a test with processes of its own, one after the other stopped at its end. */
async function withProcesses(
  count: number,
  work: (services: RunningService[]) => Promise<void>,
  instead: Replacements = fast,
): Promise<void> {
  const services: RunningService[] = [];
  for (let made = 0; made < count; made++) services.push(await notifier.start(instead));
  try {
    await work(services);
  } finally {
    for (const service of services) await service.stop();
  }
}

test('one of several processes checks; another continues when it stops, and nothing is sent twice', () =>
  withProcesses(3, async (services) => {
    const { project_id, service, id } = await newSetup();
    await until('a message', () => notifier.sink.sentBy(id).length === 1);
    await checkedAgain(notifier, project_id);
    const first = await lease();
    await services[0]?.stop();
    notifier.reconciler.open(service, 'high');
    await until('another message', () => notifier.sink.sentBy(id).length === 2);
    await checkedAgain(notifier, project_id);
    const second = await lease();
    expect(second?.owner).not.toBe(first?.owner);
    expect(second?.token).toBe((first?.token ?? 0) + 1);
    expect(notifier.sink.sentBy(id).map(({ digest }) => digest.total)).toEqual([1, 1]);
    services.shift();
  }));

test('a process that lost its lease while sending stores nothing, and the new owner sends again', () =>
  withProcesses(1, async () => {
    const { project_id, target, id } = await newSetup();
    const held = holdFirst(target);
    await held.until();
    const taken = { owner: 'another process', expires_at: new Date(0) };
    await leases().updateOne({ _id: alertLease }, { $set: taken, $inc: { token: 1 } });
    held.letGo();
    await until('it is told once more', () => notifier.sink.sentBy(id).length === 2);
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toHaveLength(2);
    expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(1);
    expect(await notifier.deliveries.countDocuments({ rule_id: id })).toBe(1);
  }));

test('a question to the database that failed does not leave every rule waiting for the queue of a slow target', async () => {
  let failing = false;
  const parts: Replacements['parts'] = (own) => ({
    ...own,
    rules: {
      ...own.rules,
      awaitingAttempt: async (...query) => {
        if (!failing) return own.rules.awaitingAttempt(...query);
        failing = false;
        throw new Error('the pool was cleared');
      },
    },
  });
  const run = async (): Promise<void> => {
    const slow = await newSetup();
    const { project_id, target } = slow;
    const letGo: (() => void)[] = [];
    notifier.sink.answer(target, async () => {
      await new Promise<void>((resolve) => letGo.push(resolve));
      return { kind: 'sent' };
    });
    for (let more = 0; more < 4; more++) await notifier.newRule({ project_id, config: { target } });
    await until('a message is on its way', () => letGo.length === 1);
    failing = true;
    await until('it failed', () => !failing);
    letGo[0]?.();
    const other = await newSetup();
    await until('another rule tells', () => notifier.sink.sentBy(other.id).length === 1);
    notifier.sink.answer(target, async () => ({ kind: 'sent' }));
    for (const go of letGo) go();
  };
  await withProcesses(1, run, { ...fast, parts });
});

test('an alert that was sent but not stored is stored later, and not sent again meanwhile', async () => {
  let failures = 0;
  const parts: Replacements['parts'] = (own) => {
    const record: typeof own.records.record = async (given, held) => {
      if (given.deliveries.length > 0 && failures++ < 3) throw new Error('No space left.');
      return own.records.record(given, held);
    };
    return { ...own, records: { record } };
  };
  const check = async () => {
    const { project_id, id } = await newSetup();
    await eventually(
      async () => expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(1),
      { what: 'it is stored' },
    );
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toHaveLength(1);
    expect(await notifier.deliveries.countDocuments({ rule_id: id })).toBe(1);
  };
  await withProcesses(1, check, { ...fast, parts });
});

test('long undelivered alerts are given up, stored and counted; later ones are sent', async () => {
  const giveUpMs = 1_000;
  const check = async ([running]: RunningService[]) => {
    const { service, target, row, id } = await newSetup();
    let failing = true;
    notifier.sink.answer(target, async () =>
      failing ? { kind: 'failed', reason: 'Nobody is there.' } : { kind: 'sent' },
    );
    await eventually(
      async () =>
        expect(await notifier.notifications.find({ rule_id: id }).toArray()).toMatchObject([
          { vulnerability_id: row.id, outcome: 'given_up' },
        ]),
      { what: 'it is given up' },
    );
    const attempts = await notifier.deliveries.find({ rule_id: id }).sort({ at: 1 }).toArray();
    const [first, last] = [attempts[0], attempts.at(-1)];
    expect(first).toMatchObject({ outcome: 'failed', next_attempt_at: expect.any(Date) });
    expect(last).toMatchObject({
      outcome: 'given_up',
      reason: 'Nobody is there.',
      total: 1,
      next_attempt_at: null,
    });
    expect(Number(last?.at) - Number(first?.at)).toBeGreaterThanOrEqual(giveUpMs);
    const metrics = await fetch(`http://127.0.0.1:${running?.internalPort}/metrics`);
    expect(await metrics.text()).toMatch(
      /bomtrail_alerts_suppressed_total\{channel="email",reason="given_up",.*\} 1\n/,
    );
    failing = false;
    const later = notifier.reconciler.open(service, 'high');
    await until('a message', () => notifier.sink.sentBy(id).length === 1);
    expect(notifier.sink.sentBy(id)[0]?.digest.top).toMatchObject([{ vulnerability_id: later.id }]);
  };
  const times = { shortestMs: 100, longestMs: 200, giveUpMs };
  await withProcesses(1, check, { ...fast, times });
});

test('a process that stops ends and stores the message that is on its way, and gives its lease back', async () => {
  const service = await notifier.start(fast);
  const { target, id } = await newSetup();
  const held = holdFirst(target);
  await held.until();
  const stopped = service.stop();
  const { id: later } = await newSetup();
  held.letGo();
  await stopped;
  expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(1);
  expect(notifier.sink.attemptsOf(later)).toEqual([]);
  expect((await lease())?.expires_at).toEqual(new Date(0));
});

test.each(['the rule', 'its project'])(
  'nothing is kept of a message that was on its way when %s was deleted',
  (what) =>
    withProcesses(1, async () => {
      const { project_id, target, id } = await newSetup();
      const held = holdFirst(target);
      await held.until();
      if (what === 'the rule') await notifier.remove(id);
      else await notifier.deleteProject(project_id);
      held.letGo();
      const other = await newSetup();
      await until('another rule tells', () => notifier.sink.sentBy(other.id).length === 1);
      for (const kept of [notifier.notifications, notifier.deliveries, notifier.marks])
        expect(await kept.countDocuments({ rule_id: id })).toBe(0);
    }),
);
