import { createHash } from 'node:crypto';
import type { Observation } from './types';

/**
 * Part of every fingerprint: whoever changes what the rules make of the same findings raises it, so
 * that the next SBOM of each line is looked at with the new ones.
 */
const rulesVersion = 1;

/**
 * The same for scans that the rules make the same rows of, in whatever order they tell it.
 *
 * R16 Where the rows of a line are what appending an SBOM with these findings has made of them, one
 * more SBOM with the same findings changes no row, as long as the acceptances are the same.
 */
export function findingsHashOf(observations: readonly Observation[]): string {
  const texts = observations.map((one) =>
    JSON.stringify([
      ...[one.package_key, one.package_name, one.package_version, one.purl, one.ecosystem],
      // The hash of the details stands for all that they say.
      ...[one.is_direct, one.fixed_versions, one.details],
      // Not for every other one, so that what is stored of them stays right.
      ...(one.is_root ? ['root'] : []),
      ...(one.package_versions ? [[...one.package_versions].sort()] : []),
    ]),
  );
  const all = [rulesVersion, ...texts.sort()].join('\n');
  return createHash('sha256').update(all).digest('base64').slice(0, 32);
}
