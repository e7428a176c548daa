import { OperatorError } from '@bomtrail/terminal';
import { MongoServerError, type Db, type Document, type MongoClient } from 'mongodb';
import { LEASES } from './manifest';

/** MongoDB code Unauthorized. */
const unauthorized = 13;

/**
 * Checks that no service uses the databases. Connections are identified by `appName`, the name of the database
 * (`packages/mongo/src/connect.ts`); leases are checked, too.
 *
 * @throws OperatorError with the connected services, or if MongoDB does not list them
 */
export async function requireNobodyThere(
  client: MongoClient,
  databases: readonly Db[],
): Promise<void> {
  const connected = await connectedTo(client, databases);
  if (connected.length > 0) {
    throw new OperatorError(
      `These are connected to the databases: ${connected.join(', ')}. Nothing was changed: stop all ` +
        'services, on every machine, and try again.',
    );
  }
  for (const db of databases) await requireNoLease(db);
}

/** Lists connections of services, like `bomtrail_gateway from 192.0.2.1`. */
async function connectedTo(client: MongoClient, databases: readonly Db[]): Promise<string[]> {
  const names = databases.map((db) => db.databaseName);
  const stages: Document[] = [
    { $currentOp: { allUsers: true, idleConnections: true } },
    { $match: { appName: { $in: names } } },
    { $project: { appName: 1, client: 1 } },
  ];
  try {
    const found = await client.db('admin').aggregate(stages).toArray();
    const clients = found.map(({ appName, client: from }) => `${appName} from ${hostOf(from)}`);
    return [...new Set(clients)].sort();
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== unauthorized) throw error;
    throw new OperatorError(
      'This user of MongoDB may not see who is connected, so services might still run. Nothing was ' +
        'changed: give it the role clusterMonitor on admin, and try again.',
    );
  }
}

/** Strips the port: a service has several connections. */
function hostOf(client: unknown): string {
  return typeof client === 'string' ? client.replace(/:\d+$/, '') : 'an unknown address';
}

/** Active leases show working services, by the clock of the database. */
async function requireNoLease(db: Db): Promise<void> {
  const held = await db
    .collection<{ _id: string }>(LEASES)
    .findOne({ $expr: { $gt: ['$expires_at', '$$NOW'] } });
  if (!held) return;
  throw new OperatorError(
    `A service works on ${db.databaseName} (lease "${held._id}"), or was killed a moment ago: ` +
      'stop all services, wait a minute, and try again.',
  );
}
