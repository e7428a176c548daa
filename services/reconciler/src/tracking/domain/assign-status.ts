import type { ActiveDecision } from './decision-types';
import { appliesTo, byPrecedence, decidedBy, statusOfDecision } from './decisions';
import { sameValue } from './same-value';
import type { TrackedVulnerability, TrackedStatus } from './types';
import { allNames } from './vulnerability-names';
import { addTo } from './grouped';
import { isPresent } from './presence';

/**
 * The status of a tracked vulnerability: presence follows from the SBOM versions, the rest from the decision
 * that applies to it.
 *
 * - R10 In the newest version: that of the decision (DC1), `open` without one.
 * - R11 In an earlier version that still exists, but not in the newest: `fixed`.
 * - R12 In no existing version: `vanished`; only the identity is kept.
 */
export function statusOf(
  vulnerability: TrackedVulnerability,
  decision: Pick<ActiveDecision, 'decision'> | undefined,
): TrackedStatus {
  if (vulnerability.merged_into !== null) return 'merged';
  if (vulnerability.presence.length === 0) return 'vanished';
  if (!isPresent(vulnerability)) return 'fixed';
  return decision ? statusOfDecision[decision.decision] : 'open';
}

/** Assigns a status to each vulnerability. Unchanged vulnerabilities keep their object identity. */
export function assignStatus(
  vulnerabilities: Iterable<TrackedVulnerability>,
  decisions: readonly ActiveDecision[],
  at: { service_id: string; now: string },
): TrackedVulnerability[] {
  const ofAlias = new Map<string, ActiveDecision[]>();
  const inOrder = [...decisions].sort(byPrecedence);
  const rules = inOrder.filter(({ selects }) => selects !== undefined);
  for (const decision of inOrder)
    for (const alias of decision.identity) addTo(ofAlias, alias, decision);
  const decisionsOn = (vulnerability: TrackedVulnerability): ActiveDecision[] =>
    allNames(vulnerability)
      .flatMap((name) => ofAlias.get(name) ?? [])
      .concat(rules)
      .filter((decision) => appliesTo(decision, vulnerability, at))
      .sort(byPrecedence);
  return Array.from(vulnerabilities, (vulnerability) =>
    withDecisions(vulnerability, isPresent(vulnerability) ? decisionsOn(vulnerability) : []),
  );
}

/** @param decisions those that apply, in the order of DC2 */
function withDecisions(
  vulnerability: TrackedVulnerability,
  decisions: readonly ActiveDecision[],
): TrackedVulnerability {
  const status = statusOf(vulnerability, decisions[0]);
  const decided = vulnerability.merged_into === null ? decidedBy(decisions) : undefined;
  if (status === vulnerability.status && sameValue(decided, vulnerability.decided))
    return vulnerability;
  const { decided: _former, ...rest } = vulnerability;
  return { ...rest, status, ...(decided && { decided }) };
}
