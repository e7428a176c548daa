import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
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

/** A log that could not be written is tried again after this time. */
const RETRY_AFTER_MS = 60_000;

/**
 * Opens a log for appending. While it cannot be written (full disk) lines are lost; each failed attempt calls `onError`.
 */
export function openLog(
  path: string,
  onError: (error: Error) => void,
  retryAfterMs: number = RETRY_AFTER_MS,
): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  let failedAt = 0;
  const open = (): WriteStream => {
    const opened = createWriteStream(path, { flags: 'a' });
    opened.on('error', (error) => {
      if (stream !== opened) return;
      stream = null;
      failedAt = Date.now();
      onError(error);
    });
    return opened;
  };
  let stream: WriteStream | null = open();
  return {
    write: (chunk) => {
      if (stream === null && Date.now() - failedAt >= retryAfterMs) stream = open();
      stream?.write(chunk);
    },
    close: () =>
      new Promise((resolve) => {
        if (stream === null || stream.closed) return resolve();
        stream.once('close', resolve);
        if (!stream.writableEnded) stream.end();
      }),
  };
}
