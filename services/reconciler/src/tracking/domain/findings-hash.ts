import { createHash } from 'node:crypto';
import type { Observation } from './types';

/**
 * Part of every hash. Raise it when the rules derive something else from the same findings, so that the next
 * SBOM of each service is evaluated in full.
 */
const rulesVersion = 2;

/**
 * Hashes findings, independent of their order: scans with equal hashes lead to the same tracked
 * vulnerabilities.
 *
 * R16 If the vulnerabilities of a service result from appending an SBOM with these findings, appending
 * another SBOM with the same findings changes none of them, as long as the acceptances are the same.
 */
export function findingsHashOf(observations: readonly Observation[]): string {
  const texts = observations.map((one) =>
    JSON.stringify([
      one.package_key,
      one.package_name,
      one.package_version,
      one.purl,
      one.ecosystem,
      // The details hash covers the details.
      one.is_direct,
      one.fixed_versions,
      one.details,
      // Only for root components, so that the stored hashes of all others stay valid.
      ...(one.is_root ? ['root'] : []),
      ...(one.package_versions ? [[...one.package_versions].sort()] : []),
    ]),
  );
  const all = [rulesVersion, ...texts.sort()].join('\n');
  return createHash('sha256').update(all).digest('base64').slice(0, 32);
}
