import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readAddresses } from '@bomtrail/embedded';
import { repositoryRoot } from '../support/real-data';

/**
 * Runs the operator's tools from their bundle beside a running product, on its servers. Throws with what
 * one of them did not do.
 *
 * @param dataDir of the stack
 * @param folder where a backup may be written
 */
export async function checkTools(dataDir: string, folder: string): Promise<void> {
  const servers = await readAddresses(dataDir);
  if (servers === undefined) throw new Error('the stack does not say where its servers are');
  const env = {
    PATH: process.env['PATH'],
    MONGODB_URI: servers.mongoUri,
    NATS_URL: servers.natsUrl,
  };
  const tool = async (file: string, ...args: string[]): Promise<string> => {
    const bundle = path.join(repositoryRoot, 'dist', 'images', 'tools', file);
    const run = promisify(execFile)(process.execPath, [bundle, ...args], { cwd: folder, env });
    const { stdout, stderr } = await run.catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return `${stdout}${stderr}`;
  };
  const expectFrom = (file: string, said: string, expected: RegExp): void => {
    if (!expected.test(said)) throw new Error(`${file} of the tools said: ${said}`);
  };
  const backup = path.join(folder, 'backup');
  expectFrom('keys.js', await tool('keys.js', 'list'), / bootstrap /);
  expectFrom('dead-letters.js', await tool('dead-letters.js', 'list'), /^0 dead letters\.$/m);
  expectFrom('reconcile.js', await tool('reconcile.js', '--verify'), /: nothing differs\.$/m);
  expectFrom(
    'backup.js',
    await tool('backup.js', '--out', backup),
    / documents of \d+ collections/,
  );
  if (!existsSync(path.join(backup, 'manifest.json')))
    throw new Error('backup.js left no manifest');
  const restored = await tool('restore.js', '--from', backup, '--force');
  expectFrom('restore.js', restored, /connected to the databases: .*bomtrail_gateway/);
}
