import { mkdir, open, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';

/** Stands in a folder while a backup is written into it, so that no other one is. */
const TAKEN_FILE = 'backup-under-way';

/** What a person can do something about, by the system's error code. */
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

/** A folder that nobody else writes a backup into. */
export interface TakenFolder {
  /** Removes what was written so far. */
  clear(): Promise<void>;
  /** The backup is whole: it is on the disk when this resolves. */
  commit(): Promise<void>;
  /** Removes what was written, and the folder where it was not there before. */
  giveUp(): Promise<void>;
  /** An error of writing into it, as an `OperatorError` where a person can do something about it. */
  explained(error: unknown): unknown;
}

/**
 * Takes a folder for a backup: a new one, with all above it, or one that is empty.
 *
 * @throws OperatorError when it holds anything, another backup is being written into it, or it cannot be
 * written to
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
  // Only now: whoever looks before both have marked it sees a folder that is empty.
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
      // Where a disk is mounted, or somebody has put something, the folder stays.
      if (isNew) await rmdir(folder).catch(() => undefined);
    },
  };
}

/** Was it made now? */
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
