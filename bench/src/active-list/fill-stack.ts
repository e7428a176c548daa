import { join } from 'node:path';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { MongoClient } from 'mongodb';
import { runMeasureProgram, type MeasureDeps } from '../lists/measure-program';
import { seedCatalog } from './seed-catalog';

/** Default prefix of the services' databases. */
const prefix = 'bomtrail_';
/** More than the stack has: it is filled once, and asked afterwards. */
const cacheSizeGb = 2;

/**
 * Fills the empty data folder of a stack with tracked vulnerabilities in all states, counted and indexed,
 * and with the services and projects that they belong to. The stack must not run meanwhile.
 *
 * @param place `dataDir` of the stack; `natsDir`, which is not its own
 */
export async function fillStack(
  place: { dataDir: string; natsDir: string },
  size: { rows: number; rowsPerService?: number },
  deps: MeasureDeps,
): Promise<void> {
  const { say } = deps;
  const { mongod, natsServer } = await locateServers({ cacheDir: serverCacheDir(), say });
  const running: RunningServer[] = [];
  try {
    const dataDir = join(place.dataDir, 'mongod');
    const database = await onFreePort(freePort, (port) =>
      startMongod({ binary: mongod, dataDir, port, cacheSizeGb }),
    );
    running.push(database);
    const bus = await onFreePort(freePort, (port) =>
      startNats({ binary: natsServer, dataDir: place.natsDir, port }),
    );
    running.push(bus);
    const { rows: vulnerabilities, rowsPerService: perService } = size;
    const servers = { mongodbUri: database.url, natsUrl: bus.url };
    const order = { vulnerabilities, perService, ...servers, prefix };
    await runMeasureProgram('fill-main', order, deps);
    const client = await new MongoClient(database.url).connect();
    try {
      await seedCatalog(client, prefix);
    } finally {
      await client.close();
    }
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
