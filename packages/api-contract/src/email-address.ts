import { domainToASCII } from 'node:url';
import type { Fault } from './fault';

/** RFC 5321 4.5.3.1, in octets: of the part before the @, and of a path without its brackets. */
const maxLocal = 64;
const maxAddress = 254;
/** Atoms with dots between them (RFC 5322 3.2.3): nothing that needs quotes or that separates addresses. */
const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/**
 * A domain before its conversion to ASCII: labels in any script. A URL parser might cut or decode
 * other characters.
 */
const labels = /^[\p{L}\p{M}\p{N}\p{Pd}.·・\u200c\u200d]+$/u;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

/**
 * The fault of a text that should be one email address without display name and brackets:
 * `local@domain`, the domain in any script and with at least one dot. The local part must be ASCII,
 * because not every server supports RFC 6531.
 */
export function emailAddressFault(text: string): Fault | undefined {
  const at = text.lastIndexOf('@');
  if (at < 0) return fault('An email address must have an @-sign.');
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  if (/[^\p{ASCII}]/u.test(before)) {
    return fault('The part before the @-sign must be ASCII.');
  }
  if (!local.test(before) || Buffer.byteLength(before) > maxLocal) {
    return fault('The part before the @-sign is not valid.');
  }
  if (!labels.test(after) || !domain.test(domainToASCII(after))) {
    return fault('The part after the @-sign is not valid.');
  }
  return Buffer.byteLength(text) > maxAddress ? fault('The address is too long.') : undefined;
}

function fault(reason: string): Fault {
  const msg = `value is not a valid email address: ${reason}`;
  return { type: 'value_error', msg, ctx: { reason } };
}
