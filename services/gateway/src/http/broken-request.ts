import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { errorTable } from '@bomtrail/messages';

/** What the client sent is no HTTP that this server reads, or took too long: there is no request to answer. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = timedOut ? '408 Request Timeout' : `${errorTable.malformed_body.http} Bad Request`;
  const detail = timedOut ? 'The request took too long.' : 'The request is not valid HTTP.';
  const body = JSON.stringify({ detail, code: 'malformed_body' });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
