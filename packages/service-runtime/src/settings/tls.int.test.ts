import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { makeCertificate, type TestCertificate } from '@bomtrail/testkit';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { busAccess, type BusSettings } from '@bomtrail/messaging';
import { connectBus } from '@bomtrail/messaging';
import { connectDatabase } from '@bomtrail/mongo';
import { createLogger } from '@bomtrail/telemetry';

const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
let folder: string;
let authority: TestCertificate;
let server: TestCertificate;
let binaries: Awaited<ReturnType<typeof locateServers>>;
const started: RunningServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-tls-'));
  binaries = await locateServers({ cacheDir: serverCacheDir(), say: () => {} });
  authority = await makeCertificate('authority');
  server = await makeCertificate('server', authority);
});
afterAll(async () => {
  for (const one of started) {
    one.kill('SIGKILL');
    await one.exited;
  }
  await rm(folder, { recursive: true, force: true });
});

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

describe('NATS', () => {
  let port: number;
  let plainPort: number;

  beforeAll(async () => {
    const config = [
      'tls {',
      `  cert_file: "${await fileOf('nats.crt', server.crt)}"`,
      `  key_file: "${await fileOf('nats.key', server.key)}"`,
      `  ca_file: "${await fileOf('nats-ca.crt', authority.crt)}"`,
      '  verify: true',
      '}',
    ].join('\n');
    const run = async (name: string, own: { config?: string }): Promise<number> => {
      const nats = await onFreePort(freePort, (at) =>
        startNats({
          binary: binaries.natsServer,
          dataDir: path.join(folder, name),
          port: at,
          ...own,
        }),
      );
      started.push(nats);
      return nats.port;
    };
    [port, plainPort] = await Promise.all([run('nats', { config }), run('plain-nats', {})]);
  });

  async function settingsOf(own: Partial<BusSettings>): Promise<BusSettings> {
    const client = await makeCertificate('client', authority);
    return {
      NATS_URL: `tls://localhost:${port}`,
      NATS_TLS_CA: authority.crt,
      NATS_TLS_CERT: client.crt,
      NATS_TLS_KEY: client.key,
      ...own,
    };
  }

  test.each([
    ['by its name', () => ({})],
    [
      'by its address',
      () => ({ NATS_URL: `tls://127.0.0.1:${port}`, NATS_TLS_SERVERNAME: 'localhost' }),
    ],
  ])('is spoken to over TLS %s, and certificates of both sides are checked', async (_how, own) => {
    const settings = await settingsOf(own());
    const bus = await connectBus({ settings, service: 'catalog', log });
    expect((await bus.manager.streams.info('WORK')).config.name).toBe('WORK');
    await bus.nats.close();
  });

  test.each([
    ['whose authority is not known', () => ({ NATS_TLS_CA: undefined })],
    ['of another name', () => ({ NATS_TLS_SERVERNAME: 'elsewhere.example' })],
    [
      'that wants a certificate of us',
      () => ({ NATS_TLS_CERT: undefined, NATS_TLS_KEY: undefined }),
    ],
    [
      'that speaks no TLS where the address says tls://',
      () => ({ NATS_URL: `tls://localhost:${plainPort}` }),
    ],
  ])('one %s is not spoken to', async (_what, own) => {
    const settings = await settingsOf(own());
    await expect(
      connect({ ...busAccess(settings, 'catalog'), reconnect: false }),
    ).rejects.toThrow();
  });
});

describe('MongoDB', () => {
  let address: string;
  let caFile: string;

  beforeAll(async () => {
    caFile = await fileOf('mongo-ca.crt', authority.crt);
    const pair = await fileOf('mongo.pem', `${server.key}\n${server.crt}`);
    const mongod = await onFreePort(freePort, (port) =>
      startMongod({
        binary: binaries.mongod,
        dataDir: path.join(folder, 'mongod'),
        port,
        args: [
          ...['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', pair],
          ...['--tlsCAFile', caFile, '--tlsAllowConnectionsWithoutCertificates'],
        ],
        client: { tls: true, tlsCAFile: caFile },
      }),
    );
    started.push(mongod);
    address = mongod.url;
  });

  test('is spoken to over TLS as its address says', async () => {
    const MONGODB_URI = `${address}&tls=true&tlsCAFile=${encodeURIComponent(caFile)}`;
    const database = await connectDatabase({ settings: { MONGODB_URI }, name: 'tls', log });
    await database.db.collection<{ _id: number }>('things').insertOne({ _id: 1 });
    expect(await database.isUp()).toBe(true);
    await database.client.close();
  });

  test.each([
    ['whose authority is not known', '&tls=true'],
    ['that is spoken to without TLS', ''],
  ])('one %s is not used', async (_what, options) => {
    const client = new MongoClient(`${address}${options}`, { serverSelectionTimeoutMS: 2_000 });
    await expect(client.connect()).rejects.toThrow();
    await client.close();
  });
});
