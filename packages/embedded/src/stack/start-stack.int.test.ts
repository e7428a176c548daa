import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, poll } from '../testing/poll';
import type { ServiceCommand } from './services';
import { startStack, type Stack, type StackOptions } from './start-stack';

/** Answers 200 on its ports, tells its settings, and ends in order, as a service does. */
const standIn = `
  const { createServer } = require('node:http');
  const { appendFileSync } = require('node:fs');
  const { join } = require('node:path');
  const [name] = process.argv.slice(2);
  const env = process.env;
  if (env.WRONG === name) { console.error('WRONG must not be ' + name); process.exit(78); }
  const told = (req, res) => res.end(JSON.stringify({ name, key: env.BOMTRAIL_BOOTSTRAP_API_KEY,
    mongo: env.MONGODB_URI, nats: env.NATS_URL, data: env.BOMTRAIL_DATA_DIR, extra: env.EXTRA }));
  createServer(told).listen(Number(env.INTERNAL_HTTP_PORT), '127.0.0.1');
  if (name === 'gateway') createServer(told).listen(Number(env.HTTP_PORT));
  console.log(JSON.stringify({ level: 'warn', message: 'hello' }));
  process.on('SIGTERM', () => {
    appendFileSync(join(env.BOMTRAIL_DATA_DIR, 'ended'), name + ' ');
    process.exit(0);
  });
`;

let folder: string;
let said: string[];
const stacks: Stack[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-stack-'));
  await writeFile(join(folder, 'stand-in.js'), standIn);
  said = [];
});
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop();
  await rm(folder, { recursive: true, force: true });
});

function options(extra: Partial<StackOptions> = {}): StackOptions {
  const services: ServiceCommand[] = ['gateway', 'catalog'].map((name) => ({
    name,
    command: process.execPath,
    args: [join(folder, 'stand-in.js'), name],
  }));
  const env = { MONGODB_URI: '', NATS_URL: '', BOMTRAIL_BOOTSTRAP_API_KEY: '', ...extra.env };
  const say = (line: string): void => void said.push(line);
  return { dataDir: join(folder, 'data'), httpPort: 0, services, say, ...extra, env };
}

async function start(extra: Partial<StackOptions> = {}): Promise<Stack> {
  const stack = await startStack(options(extra));
  stacks.push(stack);
  return stack;
}

async function settingsOf(url: string): Promise<Record<string, string>> {
  const response = await fetch(url);
  return (await response.json()) as Record<string, string>;
}

describe('the stack', () => {
  test('gives its services their settings, restarts what is killed, and keeps its key', async () => {
    const stack = await start({ env: { EXTRA: 'passed on' } });
    const names = stack.processes().map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['mongod', 'nats-server', 'gateway', 'catalog']));
    expect(await settingsOf(stack.baseUrl)).toMatchObject({
      name: 'gateway',
      key: stack.apiKey,
      data: join(folder, 'data'),
      extra: 'passed on',
    });
    expect(said).toContain('catalog warn: hello');

    const before = new Map(stack.processes().map(({ name, pid }) => [name, pid]));
    for (const name of names) stack.kill(name, 'SIGKILL');
    await poll('all four run again', () => {
      const now = stack.processes();
      return now.every(({ name, pid }) => pid !== null && pid !== before.get(name)) || undefined;
    });
    const pids = stack.processes().map(({ pid }) => pid ?? 0);
    await stack.stop();
    expect(await Promise.all(pids.map(isRunning))).toEqual([false, false, false, false]);

    const again = await start();
    expect([again.apiKeyOrigin, again.apiKey]).toEqual(['stored', stack.apiKey]);
    expect(await readFile(join(folder, 'data', 'logs', 'catalog.log'), 'utf8')).toContain('hello');
  });

  test('stops the gateway before the other services', async () => {
    const stack = await start();
    await stack.stop();
    expect(await readFile(join(folder, 'data', 'ended'), 'utf8')).toBe('gateway catalog ');
  });

  test('refuses a folder on which another one runs', async () => {
    await start();
    await expect(startStack(options())).rejects.toThrow(`process ${process.pid}`);
  });

  test('does not start with wrong settings, and says which', async () => {
    const wrong = startStack(options({ env: { WRONG: 'catalog' } }));
    await expect(wrong).rejects.toThrow(
      'catalog cannot run with these settings: WRONG must not be catalog',
    );
    await start();
  });

  test('does not start on a port that is taken, and says how to choose another', async () => {
    const other = createServer();
    other.listen(0);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(startStack(options({ httpPort: port }))).rejects.toThrow(
      `Port ${port} is taken: choose another one with HTTP_PORT`,
    );
    other.close();
  });

  test('does not start on a host that this machine does not have, and names its setting', async () => {
    const wrong = startStack(options({ env: { HTTP_HOST: '192.0.2.1' } }));
    await expect(wrong).rejects.toThrow('HTTP_HOST=192.0.2.1 must be an address of this machine');
  });

  test('empties its folder when asked to', async () => {
    const stack = await start();
    await stack.stop();
    const fresh = await start({ wipe: true });
    expect(fresh.apiKeyOrigin).toBe('made-now');
    expect(fresh.apiKey).not.toBe(stack.apiKey);
  });
});
