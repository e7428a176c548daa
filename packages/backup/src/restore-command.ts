import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError, reasonOf, untilStopped } from '@bomtrail/terminal';
import { checkBackup } from './check-backup';
import { readManifest } from './manifest';
import { restoreBackup } from './restore-backup';
import { formatSummary } from './backup-command';
import { thisRelease } from './release';
import { withDatabase, type Terminal } from './with-database';

export const restoreUsage = 'Usage: npm run restore -- --from FOLDER [--force]';

/**
 * `restore --from FOLDER [--force]`: checks a backup and restores it while no service runs. On a data folder the
 * streams are deleted, too.
 */
export async function restore(terminal: Terminal, args: string[]): Promise<void> {
  const { env, say } = terminal;
  const { from, force } = optionsOf(args);
  const folder = resolve(from);
  const { signal, end } = untilStopped();
  try {
    const manifest = await readManifest(folder, thisRelease());
    await checkBackup(folder, manifest, signal);
    say(`${formatSummary(manifest)} are as they were written; restoring …`);
    const hasFolder = await withDatabase({ ...terminal, beside: false }, async (access) => {
      const { client, prefix, ownFolder } = access;
      const onReplacing = async (): Promise<void> => {
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

function optionsOf(args: string[]): { from: string; force: boolean } {
  const options = { from: { type: 'string' }, force: { type: 'boolean' } } as const;
  try {
    const { from, force = false } = parseArgs({ args, options }).values;
    if (from !== undefined) return { from, force };
  } catch (error) {
    throw new OperatorError(`${reasonOf(error)} ${restoreUsage}`);
  }
  throw new OperatorError(restoreUsage);
}
