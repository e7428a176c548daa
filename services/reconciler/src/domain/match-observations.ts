import { currentAliases } from './assign-status';
import type { Observation, TrackedVulnerability, TrackedStatus } from './types';

/** A row that some list shows. */
export type VisibleVulnerability = TrackedVulnerability & {
  status: Exclude<TrackedStatus, 'merged' | 'vanished'>;
};

/**
 * How an alias group relates to what its row shows, which is another group until the line is brought up
 * to date: the `same`; `wider`, all of it and more; `other`, without some of it or with nothing of it.
 */
export type Fit = 'same' | 'wider' | 'other';

/**
 * Finds the row of an observation, by any alias that the row stands for or stood for: an advisory that
 * gains a CVE has it before the rows know it. What else the row says may be of another vulnerability,
 * unless its `fit` is the `same`.
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
