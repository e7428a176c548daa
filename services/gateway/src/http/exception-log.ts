import { currentContext, type Logger } from '@bomtrail/telemetry';
import type { Request } from 'express';
import { basename } from 'node:path';
import { withoutSecrets } from '../api-keys/domain/api-key';
import { loggedQuery } from '../audit/domain/logged-query';
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

/** The failed request, of either transport. */
export interface FailedRequest {
  transport: 'http' | 'grpc';
  method: string;
  path: string;
  /** Redacted. */
  query: string;
  /** Address of the client. */
  client: string | null;
}

/** Log fields of an unhandled error of a request. */
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

/** Logs an unhandled error. */
export function logException(log: Logger, error: unknown, request: FailedRequest): void {
  // By specification `trace_id` and `span_id` are present only if tracing is on.
  const untraced = currentContext()?.span ? {} : { trace_id: undefined };
  log.error({ ...exceptionEvent(error, request), ...untraced }, 'A request failed.');
}

/**
 * A REST request for the log.
 *
 * @param known names of the contract's query parameters; other values are redacted
 */
export function failedRequest(request: Request, known: ReadonlySet<string>): FailedRequest {
  const [path = '', query = ''] = splitOnce(request.originalUrl, '?');
  const client = request.socket.remoteAddress ?? null;
  const logged = loggedQuery(query, known);
  return { transport: 'http', method: request.method, path, query: logged, client };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
