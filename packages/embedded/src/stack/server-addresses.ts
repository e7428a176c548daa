import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@bomtrail/terminal';
import { isLocked } from './folder-lock';

/** Where the servers of a running stack listen; they choose their ports at each start. */
export interface ServerAddresses {
  mongoUri: string;
  natsUrl: string;
}

const FILE = 'servers.json';

/**
 * Says in the data folder where the servers listen, for commands that are run beside the stack. For its
 * owner only: an address that was set may hold a password.
 *
 * @returns what takes it back
 */
export async function writeAddresses(
  dataDir: string,
  { mongoUri, natsUrl }: ServerAddresses,
): Promise<() => Promise<void>> {
  const file = join(dataDir, FILE);
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify({ mongoUri, natsUrl })}\n`, { mode: 0o600 });
  return () => rm(file, { force: true });
}

/** Where the servers of the stack that runs on this data folder listen; undefined when none runs, or it is not so far yet. */
export async function readAddresses(dataDir: string): Promise<ServerAddresses | undefined> {
  if (!(await isLocked(dataDir))) return undefined;
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as ServerAddresses;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
