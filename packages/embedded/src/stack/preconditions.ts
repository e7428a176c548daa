import { statfs } from 'node:fs/promises';
import { OperatorError } from '@bomtrail/terminal';
import { portError } from '../servers/free-port';

/** MongoDB's journal and the oplog alone take a few hundred megabytes. */
const NEEDED_BYTES = 500 * 1024 * 1024;
const OLDEST_NODE: [major: number, minor: number] = [20, 19];

/** Throws when this Node is older than what bomtrail is made for. */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new OperatorError(
    `bomtrail needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${version}: install a newer one.`,
  );
}

/** Throws when the disk of a folder has less than 500 MB free. */
export async function requireDiskSpace(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= NEEDED_BYTES) return;
  const megabytes = Math.floor(free / 1024 / 1024);
  throw new OperatorError(
    `The disk of ${folder} is nearly full (${megabytes} MB free, 500 MB needed): make room, ` +
      'or choose another folder with BOMTRAIL_DATA_DIR.',
  );
}

/** Bytes that this user can still write on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Throws when one cannot listen on the port; `setting` is what chooses another one. */
export async function requirePort(port: number, setting: string): Promise<void> {
  const problem = await portError(port);
  if (problem === undefined) return;
  const reason = problem === 'EADDRINUSE' ? 'is taken' : `cannot be used (${problem})`;
  const other = port < 1024 ? port + 8000 : port + 1;
  throw new OperatorError(
    `Port ${port} ${reason}: choose another one with ${setting}, for example ${setting}=${other}.`,
  );
}
