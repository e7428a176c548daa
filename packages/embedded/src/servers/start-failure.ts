import { readFile } from 'node:fs/promises';
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

/** Returns the last 4 kB of a log file. */
export async function logTail(logFile: string): Promise<string> {
  try {
    return (await readFile(logFile, 'utf8')).slice(-4_096);
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
