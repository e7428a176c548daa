import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { passwordVariable, serviceNames } from '@bomtrail/messages';
import { MongoClient, type Document } from 'mongodb';
import { repositoryRoot } from './real-data';
import { passwordMark } from './secrets-in-logs';

/** Passwords that a test finds again wherever they appear. */
const passwords = {
  nats: (service: string) => `nats${passwordMark}${service}`,
  mongodb: (service: string) => `mongo${passwordMark}${service}`,
};
const administrator = { username: 'administrator', password: `mongo${passwordMark}administrator` };

/** A mongod and a nats-server that require credentials, set up from the files in `deploy/`. */
export interface LockedServers {
  mongoUri: string;
  natsUrl: string;
  /** What lets each service in, by its name. */
  serviceEnv: Record<string, Record<string, string>>;
  stop(): Promise<void>;
}

export async function startLockedServers(): Promise<LockedServers> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-locked-'));
  const binaries = await locateServers({ cacheDir: serverCacheDir(), say: () => {} });
  const [mongod, nats] = await Promise.all([
    startLockedMongod(binaries.mongod, folder),
    startLockedNats(binaries.natsServer, folder),
  ]);
  return {
    mongoUri: mongod.url,
    natsUrl: nats.url,
    serviceEnv: Object.fromEntries(
      serviceNames.map((service) => [
        service,
        {
          NATS_USER: service,
          NATS_PASSWORD: passwords.nats(service),
          MONGODB_USERNAME: `bomtrail-${service}`,
          MONGODB_PASSWORD: passwords.mongodb(service),
        },
      ]),
    ),
    async stop() {
      for (const server of [mongod, nats]) {
        server.kill('SIGKILL');
        await server.exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startLockedNats(binary: string, folder: string): Promise<RunningServer> {
  const config = await deployed('nats', 'permissions.conf');
  const env = Object.fromEntries(
    [...serviceNames, 'operator' as const].map((name) => [
      passwordVariable(name),
      passwords.nats(name),
    ]),
  );
  const dataDir = path.join(folder, 'nats');
  return onFreePort(freePort, (port) => startNats({ binary, dataDir, port, config, env }));
}

/** Users are created without access control first, so it is started twice. */
async function startLockedMongod(binary: string, folder: string): Promise<RunningServer> {
  const dataDir = path.join(folder, 'mongod');
  const keyFile = path.join(folder, 'key-file');
  await writeFile(keyFile, randomBytes(96).toString('base64'), { mode: 0o600 });
  const open = await onFreePort(freePort, (port) => startMongod({ binary, dataDir, port }));
  await makeUsers(open.url);
  await open.stop();
  return startMongod({
    binary,
    dataDir,
    port: open.port,
    args: ['--auth', '--keyFile', keyFile],
    client: { auth: administrator },
  });
}

/** Runs the script for mongosh, with a fake of the few functions that it uses. */
async function makeUsers(uri: string): Promise<void> {
  const client = await new MongoClient(uri).connect();
  const script = await deployed('mongodb', 'users.js');
  const env = Object.fromEntries(
    serviceNames.map((name) => [`MONGODB_${name.toUpperCase()}_PASSWORD`, passwords.mongodb(name)]),
  );
  const commands: { database: string; command: Document }[] = [];
  const database = (name: string) => ({
    runCommand: (command: Document) => {
      commands.push({ database: name, command });
      return { users: [], roles: [] };
    },
  });
  runInNewContext(script, { process: { env }, db: { getSiblingDB: database } });
  const { username: createUser, password: pwd } = administrator;
  commands.push({ database: 'admin', command: { createUser, pwd, roles: ['root'] } });
  for (const one of commands) await client.db(one.database).command(one.command);
  await client.close();
}

function deployed(...file: string[]): Promise<string> {
  return readFile(path.join(repositoryRoot, 'deploy', ...file), 'utf8');
}
