import { execFile } from 'node:child_process';
import path from 'node:path';
import { readAddresses, repositoryRoot } from '@bomtrail/embedded';
import type { Witness } from '../witness';

/** `npm run reconcile -- --verify` on the running stack must say that nothing differs. */
export async function verifyServices(dataDir: string, witness: Witness): Promise<void> {
  const program = path.join(repositoryRoot(), 'packages', 'embedded', 'dist', 'main.js');
  const env = { BOMTRAIL_DATA_DIR: dataDir, MONGODB_URI: '', NATS_URL: '' };
  await verify([program, 'reconcile', '--verify'], env, witness);
}

/** The same by the command of a release, from its bundles. */
export async function verifyByBundles(
  bundles: string,
  { dataDir, witness }: { dataDir: string; witness: Witness },
): Promise<void> {
  const { mongoUri, natsUrl } = (await readAddresses(dataDir)) ?? {};
  const program = path.join(bundles, 'tools', 'reconcile.js');
  await verify([program, '--verify'], { MONGODB_URI: mongoUri, NATS_URL: natsUrl }, witness);
}

async function verify(
  args: string[],
  settings: NodeJS.ProcessEnv,
  witness: Witness,
): Promise<void> {
  const env = { ...process.env, ...settings };
  const said = await new Promise<string | null>((resolve) => {
    execFile(process.execPath, args, { env }, (error, out, stderr) =>
      resolve(error ? `${out}${stderr}` : null),
    );
  });
  if (said !== null) witness.differs('differs', `reconcile --verify: ${said.trim()}`);
}
