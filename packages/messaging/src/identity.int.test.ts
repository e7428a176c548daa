import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  freePort,
  locateServer,
  onFreePort,
  serverCacheDir,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { encodeAccount, encodeOperator, encodeUser, fmtCreds } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { createLogger } from '@bomtrail/telemetry';
import { busSettings } from './bus-settings';
import { readSettings } from '@bomtrail/settings';
import { busAccess, type BusSettings } from './access';
import { connectBus } from './connect';

const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
const schema = busSettings;
const unlimited = {
  conn: -1,
  leaf: -1,
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
  wildcards: true,
};
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

let folder: string;
const started: RunningServer[] = [];
const known = createUser();
const operator = createOperator();
const account = createAccount();
/** The addresses of a server that knows users by NKEY, and of one that believes its operator. */
let byKey: string;
let byOperator: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-identity-'));
  const users = `authorization { users = [ { nkey: "${known.getPublicKey()}" } ] }`;
  byKey = await run('by-key', users);
  byOperator = await run('by-operator', await trustingOperator());
});
afterAll(async () => {
  for (const one of started) {
    one.kill('SIGKILL');
    await one.exited;
  }
  await rm(folder, { recursive: true, force: true });
});

async function run(name: string, config: string): Promise<string> {
  const binary = await locateServer('nats-server', { cacheDir: serverCacheDir(), say: () => {} });
  const dataDir = path.join(folder, name);
  const nats = await onFreePort(freePort, (port) => startNats({ binary, dataDir, port, config }));
  started.push(nats);
  return nats.url;
}

/** A server of an operator that has one account for the product, and JetStream in it. */
async function trustingOperator(): Promise<string> {
  const system = createAccount();
  const options = { signer: operator };
  const accounts = [
    [system, await encodeAccount('SYS', system, {}, options)],
    [account, await encodeAccount('bomtrail', account, { limits: unlimited }, options)],
  ] as const;
  return [
    `operator: ${await encodeOperator('operator', operator, { system_account: system.getPublicKey() })}`,
    `system_account: ${system.getPublicKey()}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    ...accounts.map(([pair, token]) => `  ${pair.getPublicKey()}: ${token}`),
    '}',
  ].join('\n');
}

/** The text of a `.creds` file, as `nsc generate creds` writes it. */
async function credsOf(issuer: KeyPair): Promise<string> {
  const user = createUser();
  return text(fmtCreds(await encodeUser('catalog', user, issuer), user));
}

/** As a service is given it: in a file. */
async function settingsOf(
  NATS_URL: string,
  given: Pick<BusSettings, 'NATS_NKEY' | 'NATS_CREDS'>,
): Promise<BusSettings> {
  const env: NodeJS.ProcessEnv = { NATS_URL };
  for (const [name, value] of Object.entries(given)) {
    const file = path.join(folder, name);
    await writeFile(file, `${value}\n`, { mode: 0o600 });
    env[`${name}_FILE`] = file;
  }
  return readSettings(schema, env);
}

const nkey = (pair: KeyPair) => ({ NATS_NKEY: text(pair.getSeed()) });

describe('NATS accepts a service with', () => {
  test.each([
    ['the seed of an NKey that it knows', async () => settingsOf(byKey, nkey(known))],
    [
      'credentials of an account of its operator',
      async () => settingsOf(byOperator, { NATS_CREDS: await credsOf(account) }),
    ],
  ])('%s', async (_what, settings) => {
    const bus = await connectBus({ settings: await settings(), service: 'catalog', log });
    expect((await bus.manager.streams.info('WORK')).config.name).toBe('WORK');
    await bus.nats.close();
  });
});

describe('NATS rejects a client with', () => {
  test.each([
    ['nothing, where it knows NKeys', async () => settingsOf(byKey, {})],
    ['the seed of another NKey', async () => settingsOf(byKey, nkey(createUser()))],
    ['nothing, where it believes its operator', async () => settingsOf(byOperator, {})],
    [
      'credentials of an account that its operator does not know',
      async () => settingsOf(byOperator, { NATS_CREDS: await credsOf(createAccount()) }),
    ],
  ])('%s', async (_what, settings) => {
    const access = busAccess(await settings(), 'catalog');
    await expect(connect({ ...access, reconnect: false })).rejects.toThrow(/authoriz/i);
  });
});
