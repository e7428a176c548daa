import { errorTable } from '@bomtrail/messages';
import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { httpErrorOf, ValidationError } from '../shared/http-error';

/** Trailing metadata with the error code, as in REST. */
const codeKey = 'bomtrail-code';
/**
 * Maximum length of the details, percent-encoded. Clients limit all metadata of a status, some to 8
 * KiB.
 */
const maxDetailsBytes = 4 * 1024;

/**
 * gRPC status of an error: status code and sentence of the table, and the error code. Validation
 * errors have no code, as in REST: the sentence lists them.
 */
export function statusOf(error: unknown): StatusObject {
  if (error instanceof ValidationError) {
    const details = error.problems.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
    return {
      code: status.INVALID_ARGUMENT,
      details: sendable(details.join('; ')),
      metadata: new Metadata(),
    };
  }
  const { code, detail, retryAfter } = httpErrorOf(error);
  const metadata = new Metadata();
  metadata.set(codeKey, code);
  if (retryAfter !== null) metadata.set('retry-after', String(retryAfter));
  return { code: status[errorTable[code].grpc], details: sendable(detail), metadata };
}

/**
 * Replaces broken surrogate pairs and truncates, since otherwise the whole status would be lost.
 */
function sendable(text: string): string {
  let size = 0;
  let sent = '';
  for (const character of text.replace(/\p{Surrogate}/gu, '\uFFFD')) {
    size += encodeURI(character).length;
    if (size > maxDetailsBytes) return `${sent}…`;
    sent += character;
  }
  return sent;
}
