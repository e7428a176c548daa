import { currentContext, type Logger } from '@bomtrail/service-kit';
import type { Request } from 'express';
import { basename } from 'node:path';
import { withoutSecrets } from '../domain/api-key';
import { loggedQuery } from '../domain/logged-query';
import { isNativeError } from 'node:util/types';

/** Fields of one log line (docs/operations/observability.md "Error event"); the logger adds the rest. */
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
  transport: 'http' | 'grpc';
  method: string;
  path: string;
  /** As it may be shown. */
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
    logger: `bomtrail.gateway.${request.transport}`,
    module: file ? basename(file).replace(/\.[cm]?[jt]s$/, '') : null,
    line: line ? Number(line) : null,
    pid: process.pid,
    thread: 'main',
    event: 'exception',
    type: failure.constructor.name,
    traceback,
    request_method: request.method,
    request_path: withoutSecrets(request.path),
    request_query: request.query,
    request_client: request.client,
  };
}

/** Writes the one line of an unhandled failure. */
export function logException(log: Logger, error: unknown, request: FailedRequest): void {
  // The specification: `trace_id` and `span_id` stand here only while traces are on.
  const untraced = currentContext()?.span ? {} : { trace_id: undefined };
  log.error({ ...exceptionEvent(error, request), ...untraced }, 'A request failed.');
}

/**
 * A REST request as the log line tells of it.
 *
 * @param known names of the contract's query parameters: the values of others are not shown
 */
export function failedRequest(request: Request, known: ReadonlySet<string>): FailedRequest {
  const [path = '', query = ''] = splitOnce(request.originalUrl, '?');
  const client = request.socket.remoteAddress ?? null;
  const shown = loggedQuery(query, known);
  return { transport: 'http', method: request.method, path, query: shown, client };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
