import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '@bomtrail/embedded';

const run = promisify(execFile);

/**
 * Lets every write of a process fail that makes a file longer, as on a full disk; what it has stays readable.
 * A limit on the size of its files needs no rights, where a small file system would need those to mount one:
 * the process meets EFBIG instead of ENOSPC, which nats-server treats alike.
 *
 * @throws OperatorError where the machine has no prlimit, or the process is gone
 */
export async function stopWrites(pid: number): Promise<void> {
  await limit(pid, '0:unlimited');
}

/** Takes the limit back. What the process made of the failed writes stays. @throws as `stopWrites` */
export async function allowWrites(pid: number): Promise<void> {
  await limit(pid, 'unlimited:unlimited');
}

async function limit(pid: number, bytes: string): Promise<void> {
  try {
    await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}`]);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not there' : error;
    throw new OperatorError(
      `prlimit (util-linux) is needed to play a full disk: ${String(reason)}`,
    );
  }
}
