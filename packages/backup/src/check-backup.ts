import { join } from 'node:path';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';
import { sha256Of } from './bson-file';
import { fileOf, type Manifest } from './manifest';

/**
 * Compares every file of a backup with the manifest.
 *
 * @throws OperatorError with the first missing or damaged file
 */
export async function checkBackup(
  folder: string,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<void> {
  for (const collection of manifest.collections) {
    const path = join(folder, fileOf(manifest, collection));
    const sha256 = await sha256Of(path, signal).catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return 'nothing';
      throw error;
    });
    if (sha256 === collection.sha256) continue;
    const what = sha256 === 'nothing' ? 'is missing' : 'is not what was written';
    throw new OperatorError(`The backup cannot be used, and nothing was changed: ${path} ${what}.`);
  }
}
