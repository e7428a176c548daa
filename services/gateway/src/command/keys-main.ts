import { AppError } from '@bomtrail/messages';
import {
  BusUnreachable,
  connectWithTimeout,
  createRequest,
  type Request,
} from '@bomtrail/messaging';
import { databaseCredentials, refusedUser, type DatabaseSettings } from '@bomtrail/mongo';
import { commonSettings, checkConnections } from '@bomtrail/service-runtime';
import { readSettings, SettingsError } from '@bomtrail/settings';
import { createLogger, withContext } from '@bomtrail/telemetry';
import { MongoClient } from 'mongodb';
import { createApiKeysStore } from '../api-keys/store/api-keys-store';
import { createAuditStore } from '../audit/store/audit-store';
import { createAuditTrail } from '../audit/audit-calls';
import { keysUsage, parseKeysCommand, UsageError } from './parse-keys-command';
import { runKeysCommand } from './run-keys-command';

/** The gateway settings that the command needs. The bus is only used to look up projects. */
const settings = commonSettings.partial({ NATS_URL: true });

const patienceMs = 5_000;

/** Errors that are printed in one line, without a trace. */
class CommandError extends Error {}

/** The command `keys`: creates, lists and revokes API keys in the gateway's database. */
async function main(args: string[]): Promise<void> {
  const now = () => new Date();
  const command = parseKeysCommand(args, now());
  const given = readSettings(settings, process.env);
  checkConnections(given);
  const { MONGODB_DATABASE_PREFIX, NATS_URL } = given;
  const log = createLogger({ service: 'keys', level: 'fatal', format: 'text' });
  const client = await connected(given);
  const db = client.db(`${MONGODB_DATABASE_PREFIX}gateway`);
  const bus = { close: async (): Promise<void> => {} };
  const request: Request = async (definition, body) => {
    if (NATS_URL === undefined) throw new CommandError('--project needs NATS_URL.');
    const connection = await connectWithTimeout(
      { ...given, NATS_URL },
      { service: 'gateway', name: 'keys' },
    );
    bus.close = () => connection.nats.close();
    return createRequest(connection)(definition, body);
  };
  try {
    await withContext({}, () =>
      runKeysCommand(
        {
          request,
          now,
          invalidateKey: () => {},
          keys: createApiKeysStore({ db, client, isUp: async () => true }),
          trail: createAuditTrail({
            audit: createAuditStore(db),
            log,
            now,
            projectOf: async () => null,
          }),
          print: (text) => void process.stdout.write(`${text}\n`),
          say: (text) => void process.stderr.write(`${text}\n`),
        },
        command,
      ),
    );
  } finally {
    await bus.close();
    await client.close();
  }
}

async function connected(given: DatabaseSettings): Promise<MongoClient> {
  const client = new MongoClient(given.MONGODB_URI, {
    ...databaseCredentials(given),
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    serverSelectionTimeoutMS: patienceMs,
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new CommandError(`MongoDB cannot be reached at MONGODB_URI: ${(error as Error).message}`);
  }
}

/** The printed text of an error; unexpected errors keep their trace. */
function linesOf(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n${keysUsage}`;
  if (error instanceof SettingsError) return error.lines.join('\n');
  if (error instanceof AppError || error instanceof BusUnreachable) return error.message;
  if (error instanceof CommandError) return error.message;
  const refused = refusedUser(error);
  if (refused !== undefined) return refused;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${linesOf(error)}\n`);
    process.exit(1);
  },
);
