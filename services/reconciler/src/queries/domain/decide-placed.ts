import { assignStatus } from '../../tracking/domain/assign-status';
import type { ActiveDecision } from '../../tracking/domain/decision-types';
import { toSnapshot } from '../../tracking/domain/snapshot';
import type { MatchedObservation } from './brief-records';
import type { VisibleVulnerability } from './match-observations';

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
  const byId = new Map<string, MatchedObservation[]>();
  for (const one of placed) {
    const others = byId.get(one.vulnerability.id);
    if (others) others.push(one);
    else byId.set(one.vulnerability.id, [one]);
  }
  return [...byId.values()].flatMap((own) => {
    if (own.some(({ fit }) => fit === 'other')) return own;
    const [{ vulnerability }] = own as [MatchedObservation];
    const decided = decide(vulnerability, own, { decisions, at });
    return own.map((one) => ({ ...one, vulnerability: decided }));
  });
}

function decide(
  vulnerability: VisibleVulnerability,
  own: readonly MatchedObservation[],
  {
    decisions,
    at,
  }: { decisions: readonly ActiveDecision[]; at: Parameters<typeof assignStatus>[2] },
): VisibleVulnerability {
  const here = {
    ...vulnerability,
    snapshot: toSnapshot(own.map(({ observation }) => observation)),
    merged_into: null,
    presence: [{ from: 0, to: null }],
  };
  const [{ status, decided } = here] = assignStatus([here], decisions, at);
  const { decided: _former, ...rest } = vulnerability;
  const isFixed = vulnerability.status === 'fixed' && status === 'open';
  return {
    ...rest,
    status: isFixed ? 'fixed' : (status as VisibleVulnerability['status']),
    ...(decided && { decided }),
  };
}
