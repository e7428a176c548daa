import { statfs } from 'node:fs/promises';
import { OperatorError } from '@bomtrail/terminal';
import { listenError, portError } from '../servers/free-port';

/** Minimum free space: MongoDB's journal and oplog take a few hundred megabytes. */
const NEEDED_BYTES = 500 * 1024 * 1024;
const OLDEST_NODE: [major: number, minor: number] = [20, 19];

/** @throws OperatorError if this Node.js version is too old */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new OperatorError(
    `bomtrail needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${version}: install a newer one.`,
  );
}

/** @throws OperatorError if the disk has less than 500 MB free */
export async function requireDiskSpace(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= NEEDED_BYTES) return;
  const megabytes = Math.floor(free / 1024 / 1024);
  throw new OperatorError(
    `The disk of ${folder} is nearly full (${megabytes} MB free, 500 MB needed): make room, ` +
      'or choose another folder with BOMTRAIL_DATA_DIR.',
  );
}

/** Returns the free bytes for this user on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @throws OperatorError if the port is in use; `setting` chooses another one */
export async function requirePort(port: number, setting: string): Promise<void> {
  const problem = await portError(port);
  if (problem === undefined) return;
  const reason = problem === 'EADDRINUSE' ? 'is taken' : `cannot be used (${problem})`;
  const other = port < 1024 ? port + 8000 : port + 1;
  throw new OperatorError(
    `Port ${port} ${reason}: choose another one with ${setting}, for example ${setting}=${other}.`,
  );
}

/** @throws OperatorError if this machine cannot listen on the host of the setting */
export async function requireHost(host: string, setting: string): Promise<void> {
  const problem = await listenError({ host, port: 0 });
  if (problem === undefined) return;
  throw new OperatorError(`${setting}=${host} must be an address of this machine (${problem}).`);
}
