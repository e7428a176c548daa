import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError, reasonOf, untilStopped } from '@bomtrail/terminal';
import { MANIFEST_FILE, type Manifest } from './manifest';
import { writeBackup } from './write-backup';
import { thisRelease } from './release';
import { withDatabase, type Terminal } from './with-database';

export const backupUsage = 'Usage: npm run backup -- [--out FOLDER]';

/** `backup [--out FOLDER]`: writes a snapshot of all databases to a new folder. */
export async function backup(terminal: Terminal, args: string[]): Promise<void> {
  const { say } = terminal;
  const folder = resolve(outOf(args) ?? `bomtrail-backup-${nameOf(new Date())}`);
  const { signal, end } = untilStopped();
  try {
    const options = { folder, version: thisRelease(), signal };
    const manifest = await withDatabase({ ...terminal, beside: true }, ({ client, prefix }) =>
      writeBackup(client, { ...options, prefix }),
    );
    say(
      `${formatSummary(manifest)} are in ${folder}, everything that was acknowledged until ${manifest.begun_at}.`,
    );
    say(`Restore: npm run restore -- --from ${folder} (it checks the files by ${MANIFEST_FILE}).`);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    end();
  }
}

function outOf(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { out: { type: 'string' } } }).values.out;
  } catch (error) {
    throw new OperatorError(`${reasonOf(error)} ${backupUsage}`);
  }
}

function nameOf(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(':', '');
}

/** Formats the size of a backup. */
export function formatSummary({ collections }: Pick<Manifest, 'collections'>): string {
  const sum = (of: 'documents' | 'bytes'): number =>
    collections.reduce((total, one) => total + one[of], 0);
  const kilobytes = Math.ceil(sum('bytes') / 1_000);
  return `${sum('documents')} documents of ${collections.length} collections (${kilobytes} kB)`;
}
