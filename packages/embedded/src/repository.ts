import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';

/** Returns the repository root: the nearest folder above `from` with the lock file of the workspace. */
export function repositoryRoot(from: string = __dirname): string {
  let folder = from;
  while (!existsSync(join(folder, 'package-lock.json'))) {
    if (dirname(folder) === folder) {
      throw new OperatorError(`${from} is not inside a checkout of bomtrail: run it from one.`);
    }
    folder = dirname(folder);
  }
  return folder;
}

/** Returns the cache folder of server binaries: `BOMTRAIL_CACHE_DIR`, else `.cache/servers` in the checkout. */
export function serverCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['BOMTRAIL_CACHE_DIR'];
  if (chosen !== undefined && chosen !== '') return chosen;
  return join(repositoryRoot(), '.cache', 'servers');
}

/** Returns the data folder: `BOMTRAIL_DATA_DIR`, else `.bomtrail` in the current folder. */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  const chosen = env['BOMTRAIL_DATA_DIR'];
  return chosen === undefined || chosen === '' ? '.bomtrail' : chosen;
}
