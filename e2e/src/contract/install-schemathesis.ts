import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError, pythonPackages } from '@bomtrail/embedded';

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
  const packages = await pythonPackages(requirements, say, {
    name: 'schemathesis',
    suffix: `-python3.${minor}`,
    options: ['--require-hashes', '--only-binary', ':all:'],
  }).catch((error: Error) => {
    throw new OperatorError(`Schemathesis could not be installed: ${error.message}`);
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
