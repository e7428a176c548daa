import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';

const LOCK_FILE = 'lock';

/** Deletes everything in a locked folder except the lock. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== LOCK_FILE) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Locks a data folder, created if missing; resolves to a function that releases it. A stale lock is taken over.
 *
 * @throws OperatorError while another living process has it, or if the folder cannot be written
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true }).catch(unusable(folder));
  const file = join(folder, LOCK_FILE);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await writeLock(file).catch(unusable(folder))) return () => rm(file, { force: true });
    const owner = await readOwner(file);
    if (owner !== undefined && (await isStillThere(owner))) {
      throw new OperatorError(
        `bomtrail already runs on ${folder} (process ${owner.pid}): stop that one, ` +
          'or choose another folder with BOMTRAIL_DATA_DIR.',
      );
    }
    await rm(file, { force: true });
  }
  throw new OperatorError(`${file} cannot be taken: another start is under way; try again.`);
}

/** Throws what the system says about a folder with the setting that chooses another one. */
function unusable(folder: string): (error: unknown) => never {
  return (error) => {
    const code = systemCodeOf(error);
    if (code === undefined) throw error;
    throw new OperatorError(
      `The data folder ${folder} cannot be used (${code}): make it a writable folder, ` +
        'or choose another one with BOMTRAIL_DATA_DIR.',
    );
  };
}

/** True if a living process has locked the folder. */
export async function isLocked(folder: string): Promise<boolean> {
  const owner = await readOwner(join(folder, LOCK_FILE));
  return owner !== undefined && (await isStillThere(owner));
}

interface LockOwner {
  pid: number;
  /** Start time of the process: process ids are reused. */
  began: string | null;
}

/** Writes the lock to a temporary file and links it, so that it is never read half written. */
async function writeLock(file: string): Promise<boolean> {
  const owner: LockOwner = { pid: process.pid, began: await beginningOf(process.pid) };
  const beside = `${file}.${randomUUID()}`;
  await writeFile(beside, JSON.stringify(owner), { mode: 0o600 });
  try {
    await link(beside, file);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

async function readOwner(file: string): Promise<LockOwner | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8')) as Partial<LockOwner>;
    return typeof owner.pid === 'number'
      ? { pid: owner.pid, began: owner.began ?? null }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isStillThere(owner: LockOwner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === 'ESRCH') return false;
  }
  const began = await beginningOf(owner.pid);
  return began === null || owner.began === null || began === owner.began;
}

/** Field 22 of `/proc/<pid>/stat` on Linux; null elsewhere, and for an ended process. */
async function beginningOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
