import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';
import { MANIFEST_FILE, readManifest } from './manifest';

const hourMs = 3_600_000;

/** Which backup of a folder is wanted. */
export interface Wanted {
  /** Hours since it began, at most; undefined: any age. */
  readonly maxAgeHours: number | undefined;
  readonly release: string;
  readonly now: Date;
}

/**
 * Finds the newest complete backup in a folder of backups. Folders without a manifest are incomplete and do not count.
 *
 * @throws OperatorError if there is none, or only older ones
 */
export async function newestBackup(folder: string, wanted: Wanted): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  let newest: { path: string; begun: string } | undefined;
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const path = join(folder, entry.name);
    if (!existsSync(join(path, MANIFEST_FILE))) continue;
    const { begun_at: begun } = await readManifest(path, wanted.release);
    if (newest === undefined || begun > newest.begun) newest = { path, begun };
  }
  if (newest === undefined) throw new OperatorError(`${folder} has no complete backup.`);
  const { maxAgeHours, now } = wanted;
  const age = (now.getTime() - Date.parse(newest.begun)) / hourMs;
  if (maxAgeHours !== undefined && age > maxAgeHours)
    throw new OperatorError(
      `The newest backup in ${folder} is of ${newest.begun}, more than ${maxAgeHours} hours ago.`,
    );
  return newest.path;
}
