import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '@bomtrail/terminal';

/**
 * Lets `fill` put files into a temporary folder beside `folder` and then renames it, so that `folder` is
 * either complete or not there. Of two processes that do this at the same time the first to finish wins
 * and the other one's files are dropped.
 */
export async function installIntoCache(
  folder: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(join(dirname(folder), '.fetching-'));
  try {
    await fill(temporary);
    await rename(temporary, folder);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOTEMPTY' && systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
