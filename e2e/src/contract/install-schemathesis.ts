import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { installIntoCache, OperatorError, runTool, serverCacheDir } from '@bomtrail/embedded';

/** The oldest Python that the pinned Schemathesis runs on. */
const oldestMinor = 11;

/** A Python and the folder of the packages for it, for `PYTHONPATH`. */
export interface Installed {
  python: string;
  packages: string;
}

/**
 * Installs the pinned packages with pip (which checks their hashes) into the cache folder, unless they
 * are there. Needs no more of Python than pip: packages stand in a folder of their own.
 *
 * @param requirements file with every package and its hashes
 * @throws OperatorError without Python 3.11 with pip and a package index
 */
export async function installSchemathesis(
  requirements: string,
  say: (line: string) => void,
): Promise<Installed> {
  const python = 'python3';
  const minor = await pythonMinor(python);
  if (minor === null || minor < oldestMinor) {
    throw new OperatorError(
      `The contract test needs Python 3.${oldestMinor} or newer with pip as python3: install it.`,
    );
  }
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const packages = path.join(serverCacheDir(), `schemathesis-${hash}-python3.${minor}`);
  if (existsSync(packages)) return { python, packages };
  say('Getting Schemathesis (pip) …');
  await installIntoCache(packages, async (temporary) => {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
    const strict = ['--require-hashes', '--only-binary', ':all:', '--no-deps'];
    const target = ['--target', temporary, '--requirement', requirements];
    const run = await runTool(python, ['-m', 'pip', 'install', ...quiet, ...strict, ...target]);
    if (run.state !== 'done') {
      const reason = run.state === 'failed' ? run.reason : 'there is no python3';
      throw new OperatorError(`Schemathesis could not be installed: ${reason}`);
    }
  });
  return { python, packages };
}

/** The `11` of Python 3.11; null where there is no Python 3. */
async function pythonMinor(python: string): Promise<number | null> {
  try {
    const code = 'import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else -1)';
    const { stdout } = await promisify(execFile)(python, ['-c', code]);
    return Number(stdout);
  } catch {
    return null;
  }
}
