import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, onFreePort, startMongod } from '@bomtrail/embedded';
import { testBinaries } from './binaries';

/** One mongod for a whole run of the `int` suite, on a temporary folder that goes with it. */
export async function startSharedMongod(): Promise<{ uri: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bomtrail-int-'));
  const binaries = await testBinaries();
  const mongod = await onFreePort(freePort, (port) =>
    startMongod({
      binary: binaries.mongod,
      dataDir: join(folder, 'mongod'),
      port,
      cacheSizeGb: 0.5,
    }),
  );
  return {
    uri: mongod.url,
    stop: async () => {
      mongod.kill('SIGKILL');
      await mongod.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
