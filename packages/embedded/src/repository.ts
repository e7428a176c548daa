import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';

/** The repository's root: the nearest folder above `from` that holds the workspace's lock file. */
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

/** Folder that keeps fetched server binaries: `BOMTRAIL_CACHE_DIR`, else `.cache/servers` in the checkout. */
export function serverCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['BOMTRAIL_CACHE_DIR'];
  if (chosen !== undefined && chosen !== '') return chosen;
  return join(repositoryRoot(), '.cache', 'servers');
}
