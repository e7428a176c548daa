import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '@bomtrail/terminal';

/** A larger log is rotated to `<name>.1` at the start of the stack. */
const ROTATE_ABOVE_BYTES = 20 * 1024 * 1024;

/** Rotates a log file that has grown too large; a missing one is ignored. */
export function rotateLog(path: string, limitBytes: number = ROTATE_ABOVE_BYTES): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    if (statSync(path).size > limitBytes) renameSync(path, `${path}.1`);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

/** An open log file. */
export interface LogFile {
  write(chunk: Buffer): void;
  close(): Promise<void>;
}

/** Opens a log for appending. A failed write (full disk) calls `onError` once and loses lines. */
export function openLog(path: string, onError: (error: Error) => void): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  const stream = createWriteStream(path, { flags: 'a' });
  let broken = false;
  stream.on('error', (error) => {
    if (!broken) onError(error);
    broken = true;
  });
  return {
    write: (chunk) => {
      if (!broken) stream.write(chunk);
    },
    close: () =>
      new Promise((resolve) => {
        if (broken) resolve();
        else stream.end(() => resolve());
      }),
  };
}
