import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@bomtrail/terminal';
import { isLocked } from './folder-lock';

/** Addresses of the servers of a running stack; ports are chosen at each start. */
export interface ServerAddresses {
  mongoUri: string;
  natsUrl: string;
}

const FILE = 'servers.json';

/**
 * Writes the server addresses to the data folder for commands that run beside the stack. Readable by the owner only:
 * a URL may contain a password.
 *
 * @returns a function that removes them
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

/** Reads the server addresses of the stack running on this data folder; undefined if none is running or ready. */
export async function readAddresses(dataDir: string): Promise<ServerAddresses | undefined> {
  if (!(await isLocked(dataDir))) return undefined;
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as ServerAddresses;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
