import { comparerOf } from '@bomtrail/versioning';
import type { Observation, Shown } from './types';

/**
 * R6 What the lists show of one vulnerability in one SBOM: of several affected versions of the
 * package the lowest, with all of them beside it (decisions.md "Vulnerabilities").
 *
 * @param observations of one row in one SBOM, at least one
 */
export function show(observations: readonly Observation[]): Shown {
  const sorted = [...observations].sort(byVersion);
  const lowest = sorted[0] as Observation;
  return {
    package_name: lowest.package_name,
    package_version: lowest.package_version,
    package_versions: [...new Set(sorted.map((observation) => observation.package_version))],
    purl: lowest.purl,
    ecosystem: lowest.ecosystem,
    fixed_versions: lowest.fixed_versions,
    is_direct: sorted.some((observation) => observation.is_direct),
    details: lowest.details,
    aliases: lowest.aliases,
    cve_id: lowest.cve_id,
    severity: lowest.severity,
    cvss_score: lowest.cvss_score,
    published_at: lowest.published_at,
  };
}

/**
 * Versions that cannot be read come after those that can: one among them would leave the order to
 * that of the input. Ties by text, so that it never depends on the input's.
 */
function byVersion(a: Observation, b: Observation): number {
  const compare = comparerOf(a.ecosystem);
  const isUnreadable = ({ package_version: version }: Observation): boolean =>
    compare?.(version, version) !== 0;
  return (
    Number(isUnreadable(a)) - Number(isUnreadable(b)) ||
    compare?.(a.package_version, b.package_version) ||
    compareText(a.package_version, b.package_version) ||
    compareText(a.purl, b.purl) ||
    compareText(a.details, b.details)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
