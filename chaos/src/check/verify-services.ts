import { execFile } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import type { Witness } from '../witness';

/** `npm run reconcile -- --verify` on the running stack must say that nothing differs. */
export async function verifyServices(dataDir: string, witness: Witness): Promise<void> {
  const program = path.join(repositoryRoot(), 'packages', 'embedded', 'dist', 'main.js');
  const env = { ...process.env, BOMTRAIL_DATA_DIR: dataDir, MONGODB_URI: '', NATS_URL: '' };
  const said = await new Promise<string | null>((resolve) => {
    execFile(process.execPath, [program, 'reconcile', '--verify'], { env }, (error, out, stderr) =>
      resolve(error ? `${out}${stderr}` : null),
    );
  });
  if (said !== null) witness.differs('differs', `reconcile --verify: ${said.trim()}`);
}
