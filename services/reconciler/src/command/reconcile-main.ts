import { AppError } from '@bomtrail/messages';
import { BusUnreachable, connectWithTimeout } from '@bomtrail/messaging';
import {
  databaseCredentials,
  refusedUser,
  type Database,
  type DatabaseSettings,
} from '@bomtrail/mongo';
import { commonSettings, checkConnections } from '@bomtrail/service-runtime';
import { readSettings, SettingsError } from '@bomtrail/settings';
import { withContext } from '@bomtrail/telemetry';
import { MongoClient, MongoError } from 'mongodb';
import { composeCheck } from './compose-check';
import { parseReconcileCommand, reconcileUsage, UsageError } from './parse-reconcile-command';
import { exitCodes, runReconcileCommand } from './run-reconcile-command';

const connectMs = 5_000;
/** Longer than a pending re-scan usually takes. */
const patienceMs = 60_000;

/** A server cannot be reached; the message is printed without a stack trace. */
class Unreachable extends Error {}

/** Errors whose message names what could not be reached. */
const expected = [AppError, MongoError, BusUnreachable, Unreachable];

/** Runs the command `reconcile`. Returns the exit code. */
async function main(args: string[]): Promise<number> {
  const command = parseReconcileCommand(args);
  // The reconciler's own settings, as far as the check needs them.
  const given = readSettings(commonSettings, process.env);
  checkConnections(given);
  const client = await connected(given);
  const database: Database = {
    client,
    isUp: async () => true,
    db: client.db(`${given.MONGODB_DATABASE_PREFIX}reconciler`),
  };
  const bus = await connectWithTimeout(given, { service: 'reconciler', name: 'reconcile' });
  try {
    const { verify, repair } = composeCheck(database, bus);
    const showProgress = progressLine();
    const deps = {
      verify,
      showProgress,
      patienceMs,
      repair: command.repair ? repair : null,
      print: (text: string) => void process.stdout.write(`${text}\n`),
    };
    return await withContext({}, () => runReconcileCommand(deps, command));
  } finally {
    await bus.nats.close();
    await client.close();
  }
}

async function connected(given: DatabaseSettings): Promise<MongoClient> {
  const client = new MongoClient(given.MONGODB_URI, {
    ...databaseCredentials(given),
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    serverSelectionTimeoutMS: connectMs,
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Unreachable(`MongoDB cannot be reached at MONGODB_URI: ${(error as Error).message}`);
  }
}

/** Overwrites one line on a terminal; does nothing elsewhere. */
function progressLine(): (text: string | null) => void {
  if (!process.stderr.isTTY) return () => {};
  return (text) => void process.stderr.write(`\r\u001b[K${text ?? ''}`);
}

/** The message and exit code for an error; unexpected errors include the stack trace. */
function endOf(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) {
    return { text: `${error.message}\n${reconcileUsage}`, code: exitCodes.usage };
  }
  if (error instanceof SettingsError) {
    return { text: error.lines.join('\n'), code: exitCodes.usage };
  }
  if (expected.some((type) => error instanceof type)) {
    const text = refusedUser(error) ?? (error as Error).message;
    return { text, code: exitCodes.unreachable };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, code: exitCodes.unreachable };
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const { text, code } = endOf(error);
    process.stderr.write(`${text}\n`);
    process.exit(code);
  },
);
