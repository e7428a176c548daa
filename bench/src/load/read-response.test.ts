import { createResponseReader, type HttpResponse } from './read-response';

function readIn(pieces: readonly string[]): (HttpResponse | undefined)[] {
  const read = createResponseReader();
  return pieces.map((piece) => read(Buffer.from(piece)));
}

const withLength = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\nA: b\r\n\r\nhello';
const inChunks =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n 0\r\n\r\nbeta\r\n0\r\n\r\n';

test.each([
  [withLength, 201, 'hello'],
  [inChunks, 200, 'hello 0\r\n\r\nbeta'],
])('an answer is the same however it is cut', (text, status, body) => {
  for (let at = 1; at < text.length; at += 1) {
    const [early, whole] = readIn([text.slice(0, at), text.slice(at)]);
    expect(early).toBeUndefined();
    expect([whole?.status, whole?.body.toString()]).toEqual([status, body]);
  }
});

test('an answer without a body is complete with its head', () => {
  const [answer] = readIn(['HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n']);
  expect(answer).toMatchObject({ status: 204, keepAlive: false });
});

test.each([
  [`${withLength}x`, 'more bytes'],
  [`${inChunks}x`, 'more bytes'],
  ['HTTP/1.1 200 OK\r\n\r\n', 'how long'],
  ['HTTP/1.1 100 Continue\r\n\r\n', 'not an HTTP/1.1 answer'],
  ['SSH-2.0-server\r\n\r\n', 'not an HTTP/1.1 answer'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'broken chunk'],
])('%j is refused', (text, reason) => {
  expect(() => readIn([text])).toThrow(reason);
});
