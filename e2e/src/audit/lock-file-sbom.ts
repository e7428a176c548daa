import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A lock file of some thousand packages makes a few megabytes. */
const maxBuffer = 64 * 1024 * 1024;

/**
 * The CycloneDX SBOM of a folder's `package-lock.json`, as npm itself makes it: what the lock file says,
 * development packages included; nothing is installed, and no registry is asked.
 *
 * @throws Error with what npm says, such as when the folder has no lock file
 */
export async function lockFileSbom(folder: string): Promise<Buffer> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer });
  return Buffer.from(stdout);
}
