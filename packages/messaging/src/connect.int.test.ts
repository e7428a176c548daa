import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateServer, serverCacheDir, startNats, type RunningServer } from '@bomtrail/embedded';
import { createLogger, type Logger } from '@bomtrail/telemetry';
import { eventually } from '@bomtrail/testkit';
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

/** A log that keeps the reasons of its warnings and of its debug lines. */
function createReasons(): { log: Logger; warned: string[]; debugged: string[] } {
  const warned: string[] = [];
  const debugged: string[] = [];
  const silent = createLogger({ service: 'test', level: 'fatal', format: 'text' });
  const into = (reasons: string[]) => ({
    value: ({ reason }: { reason?: string }) => void (reason && reasons.push(reason)),
  });
  const log = Object.create(silent, { warn: into(warned), debug: into(debugged) });
  return { log, warned, debugged };
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

async function startServer(port: number, config = ''): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const binary = await locateServer('nats-server', { cacheDir: serverCacheDir(), say });
  nats = await startNats({ binary, dataDir: folder, port, config });
}

test('a server that is not there is reported once, not with every attempt', async () => {
  const { port, stop } = await startSilent();
  await stop();
  const { log, warned, debugged } = createReasons();
  const settings = { NATS_URL: `nats://127.0.0.1:${port}` };
  const connecting = connectBus({ settings, service: 'catalog', log });
  await eventually(() => debugged.length >= 2, { what: 'it is tried several times' });
  await startServer(port);
  await (await connecting).nats.close();
  expect(warned).toEqual(['connection refused']);
});

test('a server that refuses the user names the settings to check', async () => {
  const { port, stop } = await startSilent();
  await stop();
  await startServer(port, 'authorization { user: catalog, password: right }');
  const { log, warned } = createReasons();
  const settings = {
    NATS_URL: `nats://127.0.0.1:${port}`,
    NATS_USER: 'catalog',
    NATS_PASSWORD: 'wrong',
  };
  const connecting = connectBus({ settings, service: 'catalog', log });
  await eventually(() => warned.length > 0, { what: 'it is refused' });
  nats?.kill('SIGKILL');
  await nats?.exited;
  await startServer(port);
  await (await connecting).nats.close();
  expect(warned[0]).toMatch(/^NATS refuses the user .*: check NATS_USER and NATS_PASSWORD,/);
});

test('a server that accepts a connection and is silent is given up after seconds, so that the others are tried', async () => {
  const { port, stop } = await startSilent();
  const { log, warned } = createReasons();
  const settings = { NATS_URL: `nats://127.0.0.1:${port}` };
  const connecting = connectBus({ settings, service: 'catalog', log });
  // The client itself gives up after 20 s.
  await eventually(() => warned.length > 0, { within: 10_000, what: 'it is given up' });
  await stop();
  await startServer(port);
  await (await connecting).nats.close();
  expect(warned[0]).toBe('timeout');
});
