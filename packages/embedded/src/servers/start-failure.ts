import { readFile, stat } from 'node:fs/promises';
import { systemCodeOf } from '@bomtrail/terminal';

/** A server ended before it was ready. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  constructor(
    message: string,
    readonly portTaken: boolean,
  ) {
    super(message);
  }
}

/** Size of a log file; 0 if there is none. */
export async function logSize(logFile: string): Promise<number> {
  return (await stat(logFile).catch(() => null))?.size ?? 0;
}

/**
 * Returns what was written to a log file since it had this size: a full disk, which mongod follows up with pages of
 * stack, may have been that of an earlier start.
 */
export async function logSince(logFile: string, size: number): Promise<string> {
  try {
    return (await readFile(logFile)).subarray(size).toString('utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Runs `start` with a free port, up to twice more with other ports if it was taken meanwhile. */
export async function onFreePort<T>(
  choose: () => Promise<number>,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await choose());
    } catch (error) {
      if (attempt === 3 || !(error instanceof ServerStartError) || !error.portTaken) throw error;
    }
  }
}
