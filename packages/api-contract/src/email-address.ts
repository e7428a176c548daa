import { domainToASCII } from 'node:url';
import type { Fault } from './fault';

/** RFC 5321 4.5.3.1, in octets: of the part before the @, and of a path without its brackets. */
const maxLocal = 64;
const maxAddress = 254;
/** No white space, no control characters, nothing that needs quotes or that separates addresses. */
const local = /^[^\s\p{Cc}\p{Cs}"(),.:;<>@[\\\]]+(?:\.[^\s\p{Cc}\p{Cs}"(),.:;<>@[\\\]]+)*$/u;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

/**
 * What is wrong with a text that should be one e-mail address, without a name and without brackets:
 * `local@domain`, both in any script, the domain with at least one dot.
 */
export function emailAddressFault(text: string): Fault | undefined {
  const at = text.lastIndexOf('@');
  if (at < 0) return fault('An email address must have an @-sign.');
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  if (!local.test(before) || Buffer.byteLength(before) > maxLocal) {
    return fault('The part before the @-sign is not valid.');
  }
  if (/[\s\p{Cc}\p{Cs}]/u.test(after) || !domain.test(domainToASCII(after))) {
    return fault('The part after the @-sign is not valid.');
  }
  return Buffer.byteLength(text) > maxAddress ? fault('The address is too long.') : undefined;
}

function fault(reason: string): Fault {
  const msg = `value is not a valid email address: ${reason}`;
  return { type: 'value_error', msg, ctx: { reason } };
}
