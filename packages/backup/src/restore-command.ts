import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError, reasonOf, untilStopped } from '@bomtrail/terminal';
import { checkBackup } from './check-backup';
import { readManifest } from './manifest';
import { newestBackup } from './newest-backup';
import { restoreBackup } from './restore-backup';
import { formatSummary } from './backup-command';
import { thisRelease } from './release';
import { withDatabase, type Terminal } from './with-database';

export const restoreUsage =
  'Usage: npm run restore -- --from FOLDER | --newest-in FOLDER [--max-age-hours N] [--force]';

/**
 * `restore --from FOLDER [--force]`: checks a backup and restores it while no service runs. On a data folder the
 * streams are deleted, too. `--newest-in` takes the newest of a folder of backups; with `--max-age-hours` an older one
 * is an error, so that a job which restores it into an empty database notices missing backups.
 */
export async function restore(terminal: Terminal, args: string[]): Promise<void> {
  const { env, say } = terminal;
  const { from, newestIn, maxAgeHours, force } = optionsOf(args);
  const { signal, end } = untilStopped();
  try {
    const newest = { maxAgeHours, release: thisRelease(), now: new Date() };
    const folder = from ? resolve(from) : await newestBackup(resolve(newestIn), newest);
    const manifest = await readManifest(folder, thisRelease());
    await checkBackup(folder, manifest, signal);
    say(`${formatSummary(manifest)} are as they were written.`);
    const hasFolder = await withDatabase({ ...terminal, beside: false }, async (access) => {
      const { client, prefix, ownFolder } = access;
      const onReplacing = async (): Promise<void> => {
        say('Restoring …');
        if (ownFolder === undefined) return;
        await rm(join(ownFolder, 'nats'), { recursive: true, force: true });
      };
      await restoreBackup(client, { folder, manifest, prefix, force, signal, onReplacing });
      return ownFolder !== undefined;
    });
    say(`Restored as of ${manifest.begun_at}, by bomtrail ${manifest.version}.`);
    if (!hasFolder || env['NATS_URL']) {
      say('Delete the streams of NATS (WORK, EVENTS, DEAD) before you start the services.');
    }
    say('Indexes are made at the start. After it: npm run reconcile -- --verify');
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    end();
  }
}

interface Options {
  from?: string | undefined;
  /** Used without `from`. */
  newestIn: string;
  maxAgeHours: number | undefined;
  force: boolean;
}

function optionsOf(args: string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    from: text,
    'newest-in': text,
    'max-age-hours': text,
    force: { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ args, options });
    const { from, 'newest-in': newestIn, 'max-age-hours': age, force = false } = values;
    const maxAgeHours = age === undefined ? undefined : Number(age);
    const isAge = maxAgeHours === undefined || (newestIn !== undefined && maxAgeHours > 0);
    // A job whose variable is empty must not get the folder where it runs.
    const isNamed = from !== '' && newestIn !== '';
    if ((from === undefined) !== (newestIn === undefined) && isNamed && isAge)
      return { from, newestIn: newestIn ?? '', maxAgeHours, force };
  } catch (error) {
    throw new OperatorError(`${reasonOf(error)} ${restoreUsage}`);
  }
  throw new OperatorError(restoreUsage);
}
