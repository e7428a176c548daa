import { type Numeral, type Ordering, comparing } from '../ordering';
import { orderNumbers, orderPrereleases } from '../semver/order-semver';
import { type SemverParts, readSemver } from '../semver/read-semver';

interface BitnamiVersion {
  upstream: SemverParts;
  revision: Numeral[];
}

/**
 * Bitnami: Semantic Versioning 2.0.0 of the upstream version, then the packaging revision: a suffix
 * of numbers alone (`6.8.2-1`) is a revision and follows the version without it, as in
 * github.com/bitnami/vulndb and the purl type `bitnami`; `-0` is equal to none. Any other suffix is
 * a prerelease.
 */
export const compareBitnami = comparing(parseBitnami, orderBitnami);

function parseBitnami(text: string): BitnamiVersion | null {
  const upstream = readSemver(text);
  if (upstream === null) return null;
  const revision = upstream.prerelease.filter((piece) => typeof piece !== 'string');
  return revision.length === upstream.prerelease.length
    ? { upstream: { ...upstream, prerelease: [] }, revision }
    : { upstream, revision: [] };
}

function orderBitnami(a: BitnamiVersion, b: BitnamiVersion): Ordering {
  return (
    orderNumbers(a.upstream.numbers, b.upstream.numbers) ||
    orderPrereleases(a.upstream.prerelease, b.upstream.prerelease) ||
    orderNumbers(a.revision, b.revision)
  );
}
