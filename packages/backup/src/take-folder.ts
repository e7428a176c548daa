import { mkdir, open, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';

/** Marks a folder while a backup is written into it. */
const TAKEN_FILE = 'backup-under-way';

/** Messages for errors that an operator can fix, by system error code. */
const folderErrors: Readonly<Record<string, string>> = {
  EACCES: 'may not be written to',
  EPERM: 'may not be written to',
  EROFS: 'lies on a file system that is read-only',
  EEXIST: 'is no folder, or lies in something that is none',
  ENOTDIR: 'is no folder, or lies in something that is none',
  ENOSPC: 'lies on a disk that is full',
  EDQUOT: 'lies on a disk of which no more may be used',
  ENAMETOOLONG: 'has too long a name',
};

/** A folder reserved for a backup. */
export interface TakenFolder {
  /** Removes everything written so far. */
  clear(): Promise<void>;
  /** Completes the backup: synced to disk when this resolves. */
  commit(): Promise<void>;
  /** Removes everything written, and the folder if it was created. */
  giveUp(): Promise<void>;
  /** Maps a write error to an `OperatorError` if an operator can fix it. */
  explained(error: unknown): unknown;
}

/**
 * Reserves a folder for a backup: a new one or an empty one.
 *
 * @throws OperatorError if it is not empty, in use by another backup, or not writable
 */
export async function takeFolder(folder: string): Promise<TakenFolder> {
  const explained = (error: unknown): unknown => {
    const folderError = folderErrors[systemCodeOf(error) ?? ''];
    return folderError === undefined ? error : new OperatorError(`${folder} ${folderError}.`);
  };
  try {
    return { ...(await take(folder)), explained };
  } catch (error) {
    throw explained(error);
  }
}

async function take(folder: string): Promise<Omit<TakenFolder, 'explained'>> {
  const isNew = await makeFolder(folder);
  const mark = join(folder, TAKEN_FILE);
  try {
    await writeFile(mark, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
    throw new OperatorError(
      `Another backup is being written into ${folder}, or was killed there: name a new folder.`,
    );
  }
  // Checked after marking: a second backup sees the mark.
  const there = await contents(folder);
  if (there.length > 0) {
    await rm(mark, { force: true });
    throw new OperatorError(
      `${folder} is there already and is not empty (${there[0]}): name a new folder.`,
    );
  }
  const clear = async (): Promise<void> => {
    for (const name of await contents(folder)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  };
  return {
    clear,
    async commit() {
      await rm(mark);
      const names = await open(folder);
      await names.sync();
      await names.close();
    },
    async giveUp() {
      await clear();
      await rm(mark, { force: true });
      // A mount point or a non-empty folder stays.
      if (isNew) await rmdir(folder).catch(() => undefined);
    },
  };
}

/** Returns true if the folder was created. */
async function makeFolder(folder: string): Promise<boolean> {
  await mkdir(dirname(folder), { recursive: true });
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function contents(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== TAKEN_FILE).sort();
}
