import { Readable } from 'node:stream';
import { patiently } from '../shared/patiently';
import type { StreamReply } from './call';

/** As old as a cached key or session may be read again (docs/rules.md AK2): checks cost no reads of their own. */
const everyMs = 1_000;
/** Bytes sent between two checks, at most. */
const pieceBytes = 64 * 1024;

/**
 * The same stream, read on only while its caller has what it began with. A refusal aborts the
 * response: what was sent is not ended as if it were complete.
 *
 * @param check throws if the caller has lost a right or project since; nothing is sent while it cannot be known
 */
export function whileAllowed(
  reply: StreamReply,
  check: () => Promise<void>,
  intervalMs = everyMs,
): StreamReply {
  async function* checked(): AsyncGenerator<Buffer | string> {
    let checkedAt = performance.now();
    for await (const part of reply.content() as AsyncIterable<Buffer | string>) {
      for (const piece of piecesOf(part)) {
        if (performance.now() - checkedAt >= intervalMs) {
          await patiently(check);
          checkedAt = performance.now();
        }
        yield piece;
      }
    }
  }
  // A slow client holds no more than a piece.
  return {
    ...reply,
    content: () => Readable.from(checked(), { objectMode: false, highWaterMark: 1 }),
  };
}

/** A part may be a whole document. */
function* piecesOf(part: Buffer | string): Generator<Buffer | string> {
  if (part.length <= pieceBytes) return yield part;
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
