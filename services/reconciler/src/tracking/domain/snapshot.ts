import type { Severity } from '@bomtrail/messages';
import { comparerOf } from '@bomtrail/versioning';
import type { Observation, Snapshot } from './types';
import { compareValues } from './compare-values';

export const worstFirst: readonly Severity[] = [
  'critical',
  'high',
  'medium',
  'low',
  'unknown',
  'none',
];

/**
 * R6 What lists show of one vulnerability in one SBOM: the lowest affected version of the package, with all
 * versions beside it, and the severity and description of the worst (docs/rules.md VU3).
 *
 * @param observations of one vulnerability in one SBOM, at least one
 */
export function toSnapshot(observations: readonly Observation[]): Snapshot {
  const sorted = [...observations].sort(byVersion);
  const lowest = sorted[0] as Observation;
  const worst = sorted.reduce((known, one) => (byWorst(one, known) < 0 ? one : known));
  return {
    package_name: lowest.package_name,
    package_version: lowest.package_version,
    package_versions: versionsOf(sorted),
    purl: lowest.purl,
    ecosystem: lowest.ecosystem,
    fixed_versions: (isFixable(lowest) === isFixable(worst) ? lowest : worst).fixed_versions,
    is_direct: sorted.some((observation) => observation.is_direct),
    ...(sorted.some((observation) => observation.is_root) ? { is_root: true } : {}),
    details: worst.details,
    aliases: worst.aliases,
    cve_id: worst.cve_id,
    severity: worst.severity,
    cvss_score: worst.cvss_score,
    published_at: worst.published_at,
    ...(worst.upstream && { upstream: worst.upstream }),
  };
}

/** Lists filter by whether the details have a fix; what is shown must agree with them. */
function isFixable({ fixed_versions }: Observation): boolean {
  return fixed_versions.length > 0;
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
    compareValues(a.package_version, b.package_version) ||
    compareValues(a.purl, b.purl) ||
    compareValues(a.details, b.details)
  );
}

/** Orders by severity and score, the worst first. */
export function byWorst(
  a: Pick<Observation, 'severity' | 'cvss_score'>,
  b: Pick<Observation, 'severity' | 'cvss_score'>,
): number {
  return (
    worstFirst.indexOf(a.severity) - worstFirst.indexOf(b.severity) ||
    (b.cvss_score ?? -1) - (a.cvss_score ?? -1)
  );
}

/** All affected versions of a package; `package_versions` is absent where there is one. */
export function allVersions<Versions extends readonly string[]>(found: {
  package_version: string;
  package_versions?: Versions | undefined;
}): Versions | string[] {
  return found.package_versions ?? [found.package_version];
}
