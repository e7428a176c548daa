import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateServer, serverCacheDir, startNats, type RunningServer } from '@bomtrail/embedded';
import { createLogger, type Logger } from '@bomtrail/telemetry';
import { connectBus } from './connect';

/** Accepts connections and never says a word. */
async function startSilent(): Promise<{ port: number; stop: () => Promise<unknown> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    });
  return { port, stop };
}

/** A log that keeps the reasons of its warnings. */
function createWarnings(): { log: Logger; reasons: (string | undefined)[] } {
  const reasons: (string | undefined)[] = [];
  const silent = createLogger({ service: 'test', level: 'fatal', format: 'text' });
  const warn = { value: ({ reason }: { reason?: string }) => void reasons.push(reason) };
  return { log: Object.create(silent, { warn }), reasons };
}

let folder: string;
let nats: RunningServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-test-'));
});
afterEach(async () => {
  nats?.kill('SIGKILL');
  await nats?.exited;
  await rm(folder, { recursive: true, force: true });
});

async function startServer(port: number): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const binary = await locateServer('nats-server', { cacheDir: serverCacheDir(), say });
  nats = await startNats({ binary, dataDir: folder, port });
}

test('a server that is not there is reported once, not with every attempt', async () => {
  const { port, stop } = await startSilent();
  await stop();
  const { log, reasons } = createWarnings();
  const settings = { NATS_URL: `nats://127.0.0.1:${port}` };
  const connecting = connectBus({ settings, service: 'catalog', log });
  await sleep(2_500);
  await startServer(port);
  await (await connecting).nats.close();
  expect(reasons).toEqual(['connection refused']);
});

test('a server that accepts a connection and is silent is given up after seconds, so that the others are tried', async () => {
  const { port, stop } = await startSilent();
  const { log, reasons } = createWarnings();
  const settings = { NATS_URL: `nats://127.0.0.1:${port}` };
  const connecting = connectBus({ settings, service: 'catalog', log });
  await sleep(7_000);
  await stop();
  await startServer(port);
  await (await connecting).nats.close();
  expect(reasons[0]).toBe('timeout');
});
