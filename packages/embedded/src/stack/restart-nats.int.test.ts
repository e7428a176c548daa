import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { spawnManaged } from '../processes/managed-process';
import { poll } from '../testing/poll';
import { restartNatsThatStoresNothing } from './restart-nats';
import { supervise, type Supervised } from './supervise';

const times = { everyMs: 20, afterMs: 100 };

let jetstream: 'up' | 'down';
let requests: number;
let said: string[];
let service: Server;
let port: number;
let nats: Supervised;
let end: () => void;

beforeEach(async () => {
  [jetstream, requests, said] = ['up', 0, []];
  service = createServer((_request, response) => {
    requests += 1;
    response.end(JSON.stringify({ status: 'degraded', checks: { nats: 'up', jetstream } }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  ({ port } = service.address() as AddressInfo);
  const launch = () => spawnManaged({ command: 'sleep', args: ['60'] });
  nats = await supervise({ name: 'nats-server', launch, graceMs: 300 }, () => undefined);
});
afterEach(async () => {
  end?.();
  await nats.stop();
  service.close();
});

function watch(natsDir: string): void {
  const say = (line: string): void => void said.push(line);
  end = restartNatsThatStoresNothing({ nats, natsDir, ports: [port], say, times });
}

async function isAskedAgain(times: number): Promise<void> {
  const before = requests;
  await poll('the service is asked', async () => (requests >= before + times ? true : undefined));
}

test('a nats-server that answers and stores nothing is restarted once, with a pause before the next time', async () => {
  const first = nats.pid();
  watch(tmpdir());
  await isAskedAgain(10);
  expect(nats.pid()).toBe(first);
  jetstream = 'down';
  const second = await poll('it is another process', async () => {
    const pid = nats.pid();
    return pid === null || pid === first ? undefined : pid;
  });
  await isAskedAgain(10);
  expect(nats.pid()).toBe(second);
  expect(said).toEqual([
    'nats-server answers and stores nothing, although its disk has room: it is restarted.',
  ]);
});

test('a nats-server whose disk is full is left alone', async () => {
  const first = nats.pid();
  // A file system without any room.
  watch('/proc');
  jetstream = 'down';
  await poll('it is said', async () => (said.length > 0 ? true : undefined));
  await isAskedAgain(5);
  expect(nats.pid()).toBe(first);
  expect(said).toEqual(['nats-server stores nothing: the disk of /proc is full. Make room.']);
});
