import { isPresent } from './fold';
import type { ActiveDecision, TrackedVulnerability, TrackedStatus } from './types';

/**
 * The state of a row: presence by the log, disposition by the acceptances.
 *
 * - R10 In the newest entry: `open`, or `accepted` when an acceptance covers it now.
 * - R11 In an earlier entry that still exists, but not in the newest: `fixed`.
 * - R12 In no entry that exists: `vanished`; only its identity is kept.
 */
export function statusOf(vulnerability: TrackedVulnerability, intervals: boolean): TrackedStatus {
  if (vulnerability.merged_into !== null) return 'merged';
  if (vulnerability.presence.length === 0) return 'vanished';
  if (!isPresent(vulnerability)) return 'fixed';
  return intervals ? 'accepted' : 'open';
}

/**
 * R13 An acceptance covers every row whose alias group, as it is now, meets the ids that it was given
 * for, in its scope (the project, or one service), until it expires. What the row stood for in the
 * past does not count: a corrected alias must not hide another vulnerability.
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

/** Rows with their states; a row that does not change is the same object. */
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

/** The alias group that a row shows, in upper case. */
export function currentAliases(vulnerability: Pick<TrackedVulnerability, 'snapshot'>): string[] {
  return vulnerability.snapshot
    ? vulnerability.snapshot.aliases.map((alias) => alias.toUpperCase())
    : [];
}
