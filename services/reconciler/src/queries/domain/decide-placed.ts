import { assignStatus } from '../../tracking/domain/assign-status';
import type { ActiveDecision } from '../../tracking/domain/decision-types';
import { toSnapshot } from '../../tracking/domain/snapshot';
import type { TrackedVulnerability } from '../../tracking/domain/types';
import type { MatchedObservation } from './brief-records';
import type { VisibleVulnerability } from './match-observations';
import { grouped } from '../../tracking/domain/grouped';

/**
 * The findings of one SBOM with the statuses that decisions give them there, as if it were the newest of its service: a
 * decision may be about versions that this SBOM does not contain (DC5). What no decision applies to stays `fixed` if a later
 * SBOM fixed it, else it is `open`. While alias groups come apart, until the service is brought up to date, the status in the
 * service stays.
 */
export function decidePlaced(
  placed: readonly MatchedObservation[],
  decisions: readonly ActiveDecision[],
  at: { service_id: string; now: string },
): MatchedObservation[] {
  const byId = grouped(placed, (one) => one.vulnerability.id);
  const asNewest = [...byId.values()]
    .filter((own) => own.every(({ fit }) => fit !== 'other'))
    .map(vulnerabilityHere);
  const here = new Map(assignStatus(asNewest, decisions, at).map((one) => [one.id, one]));
  const decided = new Map<string, VisibleVulnerability>();
  for (const [id, [one]] of byId) {
    const found = here.get(id);
    if (one && found) decided.set(id, withStatus(one.vulnerability, found));
  }
  return placed.map((one) => ({
    ...one,
    vulnerability: decided.get(one.vulnerability.id) ?? one.vulnerability,
  }));
}

/** The vulnerability as it would be if the SBOM with these findings were the newest. */
function vulnerabilityHere(own: readonly MatchedObservation[]): TrackedVulnerability {
  const [{ vulnerability }] = own as [MatchedObservation];
  const snapshot = toSnapshot(own.map(({ observation }) => observation));
  return { ...vulnerability, snapshot, merged_into: null, presence: [{ from: 0, to: null }] };
}

function withStatus(
  { decided: _former, ...vulnerability }: VisibleVulnerability,
  { status, decided }: TrackedVulnerability,
): VisibleVulnerability {
  const isFixed = vulnerability.status === 'fixed' && status === 'open';
  return {
    ...vulnerability,
    status: isFixed ? 'fixed' : (status as VisibleVulnerability['status']),
    ...(decided && { decided }),
  };
}
