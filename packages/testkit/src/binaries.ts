import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { locateServers, type ServerPaths } from '@bomtrail/embedded';

/** The server binaries, from the same cache folder that the embedded run uses. */
export function testBinaries(): Promise<ServerPaths> {
  const cacheDir = process.env['BOMTRAIL_CACHE_DIR'] ?? join(repositoryRoot(), '.cache', 'servers');
  return locateServers({ cacheDir, say: (line) => process.stderr.write(`${line}\n`) });
}

/** The folder above this file that holds the workspace's lock file. */
function repositoryRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package-lock.json'))) {
    if (dirname(folder) === folder) return resolve('.');
    folder = dirname(folder);
  }
  return folder;
}
