import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serverCacheDir } from '../repository';
import { installIntoCache } from './install-into-cache';
import { mustRun } from './run-tool';

/** Arguments of `python3` for pip without progress, notices and questions. */
export const pipQuietly = ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--no-input'];

/**
 * Installs the pinned packages of a requirements file with pip into the cache, unless they are there.
 * Returns their folder. @throws Error with pip's reason
 */
export async function pythonPackages(
  requirements: string,
  say: (line: string) => void,
  { name = path.basename(path.dirname(requirements)), suffix = '', options = [] as string[] } = {},
): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = path.join(serverCacheDir(), `${name}-${hash}${suffix}`);
  if (existsSync(folder)) return folder;
  say(`Getting ${name} (pip) …`);
  await installIntoCache(folder, async (temporary) => {
    const target = ['--no-deps', '--no-compile', '--target', temporary, '-r', requirements];
    await mustRun('python3', [...pipQuietly, 'install', ...options, ...target]);
  });
  return folder;
}

/** The environment in which Python finds the packages of this folder, and none of the user's own. */
export function pythonEnvironment(packages: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PYTHONPATH: packages,
    PYTHONNOUSERSITE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
