import { currentAliases } from '../../tracking/domain/vulnerability-names';
import type { Observation, TrackedVulnerability, TrackedStatus } from '../../tracking/domain/types';

/** A vulnerability that can be listed. */
export type VisibleVulnerability = TrackedVulnerability & {
  status: Exclude<TrackedStatus, 'merged' | 'vanished'>;
};

/**
 * How an alias group relates to the snapshot of its vulnerability until the service is brought up to date:
 * the `same` group; `wider`: all of it and more; `other`: without some or all of it.
 */
export type Fit = 'same' | 'wider' | 'other';

/**
 * Creates a function that finds the vulnerability of an observation by any current or former alias: an
 * advisory may have gained a CVE that the vulnerability does not have yet. Unless `fit` is `same`, its other
 * fields may describe another vulnerability.
 */
export function createMatcher(
  vulnerabilities: readonly TrackedVulnerability[],
): (
  observation: Pick<Observation, 'package_key' | 'aliases'>,
) => { vulnerability: VisibleVulnerability; fit: Fit } | undefined {
  const byAlias = new Map<string, VisibleVulnerability>();
  for (const vulnerability of vulnerabilities) {
    const { status } = vulnerability;
    if (status === 'merged' || status === 'vanished') continue;
    const visible = { ...vulnerability, status };
    for (const alias of vulnerability.identity)
      byAlias.set(`${vulnerability.package_key}\n${alias}`, visible);
  }
  return ({ package_key, aliases }) => {
    const group = new Set(aliases.map((alias) => alias.toUpperCase()));
    for (const alias of group) {
      const vulnerability = byAlias.get(`${package_key}\n${alias}`);
      if (vulnerability) return { vulnerability, fit: fitOf(group, vulnerability) };
    }
    return undefined;
  };
}

function fitOf(group: ReadonlySet<string>, vulnerability: VisibleVulnerability): Fit {
  const snapshot = new Set(currentAliases(vulnerability));
  if (snapshot.size === 0 || [...snapshot].some((alias) => !group.has(alias))) return 'other';
  return snapshot.size === group.size ? 'same' : 'wider';
}
