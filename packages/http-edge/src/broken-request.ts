import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorTable, type ErrorCode } from '@bomtrail/messages';
import { securityHeaders } from './security-headers';

/** Responds to input that is not valid HTTP or took too long, without a request object. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnLine(socket, codeOf(error));
}

/** Rejects `CONNECT`, since this is not a proxy. */
export function refuseTunnel(socket: Duplex): void {
  answerOnLine(socket, 'method_not_allowed', ['Allow: GET, HEAD, POST, PATCH, DELETE, OPTIONS']);
}

function answerOnLine(socket: Duplex, code: ErrorCode, headers: readonly string[] = []): void {
  const status = errorTable[code].http;
  const body = JSON.stringify({ detail: detailOf(code), code });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
      ...headers,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Error codes of Node.js's HTTP server (`clientError`) and parser. */
function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return 'malformed_body';
}

function detailOf(code: ErrorCode): string {
  return code === 'malformed_body' ? 'The request is not valid HTTP.' : errorTable[code].detail;
}
