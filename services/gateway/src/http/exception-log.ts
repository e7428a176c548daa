import type { Logger } from '@bomtrail/service-kit';
import type { Request } from 'express';
import { basename } from 'node:path';
import { withoutSecrets } from '../domain/api-key';
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

/** What is told of the request that failed, through whichever door it came. */
export interface FailedRequest {
  door: 'http' | 'grpc';
  method: string;
  path: string;
  query: string;
  /** Address of the immediate peer. */
  client: string | null;
}

/** Describes an unhandled failure of one request. */
export function exceptionEvent(error: unknown, request: FailedRequest): ExceptionEvent {
  const failure = isNativeError(error) ? error : new Error(String(error));
  const traceback = failure.stack ?? `${failure.name}: ${failure.message}`;
  const [, file, line] = /\(?([^\s()]+):(\d+):\d+\)?$/m.exec(traceback) ?? [];
  return {
    logger: `bomtrail.gateway.${request.door}`,
    module: file ? basename(file).replace(/\.[cm]?[jt]s$/, '') : null,
    line: line ? Number(line) : null,
    pid: process.pid,
    thread: 'main',
    event: 'exception',
    type: failure.constructor.name,
    traceback,
    request_method: request.method,
    request_path: withoutSecrets(request.path),
    request_query: withoutSecrets(request.query),
    request_client: request.client,
  };
}

/** Writes the one line of an unhandled failure. */
export function logException(log: Logger, error: unknown, request: FailedRequest): void {
  log.error(exceptionEvent(error, request), 'A request failed.');
}

/** A REST request as the log line tells of it. */
export function failedRequest(request: Request): FailedRequest {
  const [path = '', query = ''] = splitOnce(request.originalUrl, '?');
  const client = request.socket.remoteAddress ?? null;
  return { door: 'http', method: request.method, path, query, client };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
