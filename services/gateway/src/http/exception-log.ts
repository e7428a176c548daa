import type { Logger } from '@bomtrail/service-kit';
import type { Request } from 'express';
import { basename } from 'node:path';
import { isNativeError } from 'node:util/types';

/** Fields of one log line (interface-specification.md "Error log event"); the logger adds the rest. */
export interface ExceptionEvent {
  logger: string;
  module: string | null;
  line: number | null;
  pid: number;
  thread: string;
  event: 'exception';
  type: string;
  traceback: string;
  request_method: string;
  request_path: string;
  request_query: string;
  request_client: string | null;
}

/** Describes an unhandled failure of one request. */
export function exceptionEvent(error: unknown, request: Request): ExceptionEvent {
  const failure = isNativeError(error) ? error : new Error(String(error));
  const traceback = failure.stack ?? `${failure.name}: ${failure.message}`;
  const [, file, line] = /\(?([^\s()]+):(\d+):\d+\)?$/m.exec(traceback) ?? [];
  const [path = '', query = ''] = splitOnce(request.originalUrl, '?');
  return {
    logger: 'bomtrail.gateway.http',
    module: file ? basename(file).replace(/\.[cm]?[jt]s$/, '') : null,
    line: line ? Number(line) : null,
    pid: process.pid,
    thread: 'main',
    event: 'exception',
    type: failure.constructor.name,
    traceback,
    request_method: request.method,
    request_path: path,
    request_query: query,
    request_client: request.socket.remoteAddress ?? null,
  };
}

/** Writes the one line of an unhandled failure. */
export function logException(log: Logger, error: unknown, request: Request): void {
  log.error(exceptionEvent(error, request), 'A request failed.');
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
