import { comparerOf } from '@bomtrail/versioning';
import type { Observation, Snapshot } from './types';

/**
 * R6 What lists show of one vulnerability in one SBOM: the lowest affected version of the package, with all
 * versions beside it (docs/rules.md VU3).
 *
 * @param observations of one vulnerability in one SBOM, at least one
 */
export function toSnapshot(observations: readonly Observation[]): Snapshot {
  const sorted = [...observations].sort(byVersion);
  const lowest = sorted[0] as Observation;
  return {
    package_name: lowest.package_name,
    package_version: lowest.package_version,
    package_versions: versionsOf(sorted),
    purl: lowest.purl,
    ecosystem: lowest.ecosystem,
    fixed_versions: lowest.fixed_versions,
    is_direct: sorted.some((observation) => observation.is_direct),
    ...(sorted.some((observation) => observation.is_root) ? { is_root: true } : {}),
    details: lowest.details,
    aliases: lowest.aliases,
    cve_id: lowest.cve_id,
    severity: lowest.severity,
    cvss_score: lowest.cvss_score,
    published_at: lowest.published_at,
  };
}

/** All versions in order, including those of folded observations. */
function versionsOf(sorted: readonly Observation[]): string[] {
  const each = sorted.flatMap(
    (one) => one.package_versions?.map((package_version) => ({ ...one, package_version })) ?? [one],
  );
  const inOrder = each.length > sorted.length ? each.sort(byVersion) : sorted;
  return [...new Set(inOrder.map((one) => one.package_version))];
}

/**
 * Orders the observations of a vulnerability, lowest version first, unreadable versions last. Ties are broken
 * by text, so the order never depends on the input.
 */
export function byVersion(a: Observation, b: Observation): number {
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
