import { errorTable } from '@bomtrail/messages';
import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { httpErrorOf, ValidationError } from '../httpError';

/** Trailing metadata with the machine-readable code of a refusal, the one that REST answers. */
const codeKey = 'bomtrail-code';
/** Percent-encoded, as it is sent. Clients bound all of a status's metadata, some of them at 8 KiB. */
const maxDetailsBytes = 4 * 1024;

/**
 * What a client is told of an error: the table's status, a sentence, and its code. Wrong fields have
 * no code, as in REST: the sentence names all of them.
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

/** Half of a surrogate pair cannot be sent, and what is too long would lose the whole status. */
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
