import { createHash } from 'node:crypto';

/** A weak entity tag (RFC 9110, 8.8.3) over all parts of a response. */
export function weakEtag(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(createHash('sha256').update(part).digest());
  return `W/"${hash.digest('base64url')}"`;
}
