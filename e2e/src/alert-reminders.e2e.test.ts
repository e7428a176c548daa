import { listAcceptances, listExpiringKeys, type ExpiringKey } from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { randomUUID } from 'node:crypto';
import {
  patienceMs,
  startNotifierBench,
  type NotifierBench,
} from './support/alerts/notifier-bench';
import { passed } from './support/alerts/notifier-process';

jest.setTimeout(3 * patienceMs);
let bench: NotifierBench;
const keys: ExpiringKey[] = [];

beforeAll(async () => {
  bench = await startNotifierBench();
  bench.bus.serve(handles(listExpiringKeys, async () => ({ body: { keys: [...keys] } })));
  bench.bus.serve(handles(listAcceptances, async () => ({ body: { items: [], total: 0 } })));
});
afterAll(() => bench?.stop());

function nextKey(): string {
  const name = `key-${keys.length + 1}`;
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  keys.push({ id: randomUUID(), prefix: 'abcdefghijkl', name, expires_at });
  return name;
}

const receiver = { signed: 'reminded' };
const recorded = 'commitTransaction done';

interface Message {
  id: string;
  reminders: { subject: string }[];
}

const messages = (): Message[] => bench.takenBy(receiver).map(({ body }) => body as Message);
/** The keys that messages named; a repeated message counts once. */
function named(): string[] {
  const byId = new Map(messages().map((message) => [message.id, message]));
  return [...byId.values()].flatMap(({ reminders }) => reminders.map(({ subject }) => subject));
}

test('AL12: a notifier that is killed reminds of everything, and repeats at most one message per kill between send and record', async () => {
  const state = bench.newServiceState();
  const first = bench.start();
  await bench.newRemindingRule(state, receiver);
  await first.end();
  const expected: string[] = [];
  let between = 0;
  for (const at of ['told list-expiring-keys', 'answered', recorded, 'answered']) {
    expected.push(nextKey());
    await bench.expireLeases();
    const one = bench.start({ fault: { at, after: 0, signal: 'SIGKILL' } });
    await eventually(() => one.endedBy() !== null, { what: `a kill at ${at}` });
    await one.end();
    if (at === 'answered') {
      between += 1;
      // The next process repeats what was sent and not recorded, with nothing new beside it.
      await bench.expireLeases();
      const next = bench.start();
      await passed(next, recorded, { within: patienceMs });
      await next.end();
    }
  }
  expected.push(nextKey());
  await bench.expireLeases();
  bench.start();
  await eventually(() => expect(new Set(named())).toEqual(new Set(expected)), {
    what: 'everything was told',
  });
  await bench.checkedAgain(state);
  expect(named().sort()).toEqual([...expected].sort());
  expect(messages().length - new Set(messages().map(({ id }) => id)).size).toBe(between);
  expect(await bench.database.collection('reminders').countDocuments()).toBe(expected.length);
});
