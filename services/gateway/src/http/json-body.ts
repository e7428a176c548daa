import { AppError } from '@bomtrail/messages';
import type { Request } from 'express';
import { hasBody, startBody } from './body-start';
import type { Exchange, Received } from './call';
import { warnOfIgnoredFields } from './ignored-input';
import { expectMediaType, isGzipCoded } from './media-type';
import { atPace } from './pace';
import { unpackGzip } from '../uploads/unpack-gzip';

/** Far above any JSON request of the contract. */
const maxBytes = 1024 * 1024;

/** For operations without a body: reads nothing. */
export async function receiveNothing({ operation }: Exchange): Promise<Received> {
  return { body: operation.validators.body(undefined), dispose };
}

/**
 * Reads and validates a JSON body. An empty body is a problem of the field `body`, not malformed
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
    warnOfIgnoredFields(operation, value, response);
  }
  return { body: operation.validators.body(value), dispose };
}

async function readAll(request: Request, packed: boolean): Promise<Buffer> {
  // Keeps the request open: the response to an oversized body uses the same connection.
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

/** Parses JSON; undefined for an empty body. Invalid UTF-8 is an error, never replaced. */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('malformed_json');
  }
}

async function dispose(): Promise<void> {}
