import { AppError } from '@bomtrail/messages';
import type { Request } from 'express';
import { hasBody, startBody } from './body-start';
import type { Exchange, Received } from './call';
import { expectMediaType, isGzipCoded } from './media-type';
import { atPace } from './pace';
import { unpackGzip } from '../upload/unpack-gzip';

/** No JSON request of the contract comes near it. */
const maxBytes = 1024 * 1024;

/** The body of an operation that has none: nothing is read. */
export async function receiveNothing({ operation }: Exchange): Promise<Received> {
  return { body: operation.validators.body(undefined), dispose };
}

/**
 * Reads and checks a JSON body. An empty one is a problem of the field `body`, not a malformed one
 * (docs/rules.md H4).
 *
 * @throws AppError `malformed_json`, `unsupported_media_type`, `payload_too_large`
 */
export async function receiveJson({ request, response, operation }: Exchange): Promise<Received> {
  let value: unknown;
  if (hasBody(request)) {
    expectMediaType(request, 'application/json');
    const packed = isGzipCoded(request);
    startBody(request, response);
    value = parse(await atPace(request, () => readAll(request, packed)));
  }
  return { body: operation.validators.body(value), dispose };
}

async function readAll(request: Request, packed: boolean): Promise<Buffer> {
  // The request outlives this loop: the answer to a body that is too long goes over the same line.
  const received = request.iterator({ destroyOnReturn: false });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of packed ? unpackGzip(received) : received) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw new AppError('payload_too_large', 'The body is larger than 1 MiB.');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks, size);
}

/** undefined for no bytes at all. Bytes that are not UTF-8 are an error, never replaced. */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('malformed_json');
  }
}

async function dispose(): Promise<void> {}
