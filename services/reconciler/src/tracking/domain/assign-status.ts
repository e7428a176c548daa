import { isPresent } from './fold';
import type { ActiveDecision, TrackedVulnerability, TrackedStatus } from './types';

/**
 * The status of a tracked vulnerability: presence follows from the SBOM versions, acceptance from the
 * decisions.
 *
 * - R10 In the newest version: `open`, or `accepted` if an active decision applies to it.
 * - R11 In an earlier version that still exists, but not in the newest: `fixed`.
 * - R12 In no existing version: `vanished`; only the identity is kept.
 */
export function statusOf(vulnerability: TrackedVulnerability, isAccepted: boolean): TrackedStatus {
  if (vulnerability.merged_into !== null) return 'merged';
  if (vulnerability.presence.length === 0) return 'vanished';
  if (!isPresent(vulnerability)) return 'fixed';
  return isAccepted ? 'accepted' : 'open';
}

/**
 * R13 A risk acceptance applies to every vulnerability whose current alias group shares an id with it, within
 * its scope (project or service), until it expires. Former aliases do not count: a corrected alias must not
 * hide another vulnerability.
 */
export function appliesTo(
  decision: ActiveDecision,
  vulnerability: TrackedVulnerability,
  at: { service_id: string; now: string },
): boolean {
  if (decision.service_id !== null && decision.service_id !== at.service_id) return false;
  if (decision.expires_at !== null && decision.expires_at <= at.now) return false;
  const now = currentAliases(vulnerability);
  return decision.identity.some((alias) => now.includes(alias));
}

/** Assigns a status to each vulnerability. Unchanged vulnerabilities keep their object identity. */
export function assignStatus(
  vulnerabilities: Iterable<TrackedVulnerability>,
  decisions: readonly ActiveDecision[],
  at: { service_id: string; now: string },
): TrackedVulnerability[] {
  const ofAlias = new Map<string, ActiveDecision[]>();
  for (const decision of decisions) {
    for (const alias of decision.identity) {
      const same = ofAlias.get(alias);
      if (same) same.push(decision);
      else ofAlias.set(alias, [decision]);
    }
  }
  const isAccepted = (vulnerability: TrackedVulnerability): boolean =>
    currentAliases(vulnerability).some((alias) =>
      ofAlias.get(alias)?.some((decision) => appliesTo(decision, vulnerability, at)),
    );
  return Array.from(vulnerabilities, (vulnerability) => {
    const status = statusOf(vulnerability, isAccepted(vulnerability));
    return status === vulnerability.status ? vulnerability : { ...vulnerability, status };
  });
}

/** The aliases of the current snapshot, in upper case. */
export function currentAliases(vulnerability: Pick<TrackedVulnerability, 'snapshot'>): string[] {
  return vulnerability.snapshot
    ? vulnerability.snapshot.aliases.map((alias) => alias.toUpperCase())
    : [];
}
