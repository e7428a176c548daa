import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '@bomtrail/terminal';

/**
 * Fills a temporary folder and renames it to `folder`, which is therefore complete or missing. If two processes do
 * this at once, the first to finish wins.
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
