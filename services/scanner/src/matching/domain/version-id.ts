import { createHash } from 'node:crypto';
import { versionKey, type PackageVersion } from '@bomtrail/osv';

const idBytes = 12;

/**
 * Id of a package version: the first 12 bytes of the SHA-256 of its key, as 16 base64url
 * characters. The collision probability for 10 million package versions is below 1e-14.
 */
export function versionIdOf(version: PackageVersion): string {
  const hash = createHash('sha256').update(versionKey(version)).digest();
  return hash.toString('base64url', 0, idBytes);
}
