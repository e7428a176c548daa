import { AppError } from '@bomtrail/messages';
import {
  commonSettings,
  connectBus,
  createLogger,
  readSettings,
  SettingsError,
  withContext,
  type Database,
} from '@bomtrail/service-kit';
import { MongoClient, MongoError } from 'mongodb';
import { composeCheck } from './compose-check';
import { parseReconcileCommand, reconcileUsage, UsageError } from './parse-reconcile-command';
import { exitCodes, runReconcileCommand } from './run-reconcile-command';

/** The reconciler's own settings, as far as the check needs them. */
const settings = commonSettings.pick({
  MONGODB_URI: true,
  MONGODB_DATABASE_PREFIX: true,
  NATS_URL: true,
});

const connectMs = 5_000;
/** Longer than a re-scan that is owed usually takes. */
const patienceMs = 60_000;

/** What a person at the terminal is told in one line: something cannot be reached. */
class Unreachable extends Error {}

/** The command `reconcile`: checks, and repairs, what is stored of every service. Gives the exit code. */
async function main(args: string[]): Promise<number> {
  const command = parseReconcileCommand(args);
  const { MONGODB_URI, MONGODB_DATABASE_PREFIX, NATS_URL } = readSettings(settings, process.env);
  const log = createLogger({ service: 'reconcile', level: 'fatal', format: 'text' });
  const client = await connected(MONGODB_URI);
  const database: Database = {
    ...{ client, db: client.db(`${MONGODB_DATABASE_PREFIX}reconciler`), isUp: async () => true },
  };
  const bus = await inTime(connectBus({ url: NATS_URL, name: 'reconcile', log }));
  try {
    const { verify, repair } = composeCheck(database, bus);
    const show = progressLine();
    const deps = {
      ...{ verify, show, patienceMs, repair: command.repair ? repair : null },
      print: (text: string) => void process.stdout.write(`${text}\n`),
    };
    return await withContext({}, () => runReconcileCommand(deps, command));
  } finally {
    await bus.nats.close();
    await client.close();
  }
}

async function connected(uri: string): Promise<MongoClient> {
  const client = new MongoClient(uri, {
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

function inTime<Value>(connecting: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const trouble = (why: string): void =>
      reject(new Unreachable(`NATS cannot be reached at NATS_URL: ${why}`));
    const timer = setTimeout(() => trouble(`no answer within ${connectMs / 1000} s`), connectMs);
    connecting.then(resolve, (error: unknown) => trouble((error as Error).message));
    void connecting.catch(() => {}).finally(() => clearTimeout(timer));
  });
}

/** Writes over itself on a terminal; elsewhere nothing. */
function progressLine(): (text: string | null) => void {
  if (!process.stderr.isTTY) return () => {};
  return (text) => void process.stderr.write(`\r\u001b[K${text ?? ''}`);
}

/** The lines for a person, and the exit code; an error that is none of the expected ones keeps its trace. */
function endOf(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) {
    return { text: `${error.message}\n${reconcileUsage}`, code: exitCodes.usage };
  }
  if (error instanceof SettingsError) {
    return { text: error.lines.join('\n'), code: exitCodes.usage };
  }
  if (error instanceof AppError || error instanceof MongoError || error instanceof Unreachable) {
    return { text: error.message, code: exitCodes.unreachable };
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
