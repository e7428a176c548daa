import { assignStatus } from '../../tracking/domain/assign-status';
import type { ActiveDecision } from '../../tracking/domain/decision-types';
import { applyVersion, snapshotsOf } from '../../tracking/domain/reconcile';
import { identify, uniteGroups } from '../../tracking/domain/identify';
import type { Observation, SbomVersion, TrackedVulnerability } from '../../tracking/domain/types';
import type { MatchedObservation } from './brief-records';

/** What an unstored document is compared with. */
export interface UnstoredFacts {
  service_id: string;
  /** The tracked vulnerabilities of the service, at least those of the packages in question. */
  stored: readonly TrackedVulnerability[];
  /** The findings of the document. */
  observations: readonly Observation[];
  /**
   * What the baseline contains of the same packages: its findings, or, of an expired SBOM, ids of
   * vulnerabilities.
   */
  baseline: { observations: readonly Observation[]; ids: readonly string[] };
  decisions: readonly ActiveDecision[];
  now: string;
  newId: () => string;
}

/** The findings of a document with the vulnerabilities that they would be. */
export interface PlacedUnstored {
  placed: MatchedObservation[];
  /** The vulnerabilities that the baseline contains. */
  baseline: { id: string }[];
}

/** Later than any SBOM of a service. */
const lastSeq = Number.MAX_SAFE_INTEGER;

/**
 * CH1 The findings of a document that is stored nowhere are judged as if it were the newest SBOM of the
 * service: they have the identities (R2 to R5) and the statuses (R10, R13) that its upload would give them.
 * Nothing but the result is changed.
 */
export function placeUnstored(facts: UnstoredFacts): PlacedUnstored {
  const { service_id, stored, observations, baseline, decisions, now, newId } = facts;
  const groups = uniteGroups([...observations, ...baseline.observations]);
  const { vulnerabilities, vulnerabilityIdOf } = identify(stored, groups, newId);
  const version: SbomVersion = { sbom_id: '', seq: lastSeq, digest: '', created_at: now };
  const found = {
    service_id,
    vulnerabilities,
    acceptances: decisions,
    observations: new Map([[version.digest, observations]]),
    now,
    newId,
  };
  const snapshots = snapshotsOf(found, version.digest, vulnerabilityIdOf);
  const before = new Map(vulnerabilities.map((one) => [one.id, one]));
  const after = applyVersion({ head: null, vulnerabilities: before }, version, snapshots);
  const present = [...snapshots.keys()].flatMap((id) => after.vulnerabilities.get(id) ?? []);
  const byId = new Map(
    assignStatus(present, decisions, { service_id, now }).flatMap((one) => {
      const { status } = one;
      return status === 'merged' || status === 'vanished' ? [] : [[one.id, { ...one, status }]];
    }),
  );
  const idOf = ({ package_key, aliases }: Observation): string =>
    vulnerabilityIdOf(package_key, (aliases[0] ?? '').toUpperCase()) ?? '';
  return {
    placed: observations.flatMap((observation) => {
      const vulnerability = byId.get(idOf(observation));
      return vulnerability ? [{ observation, vulnerability, fit: 'same' as const }] : [];
    }),
    baseline: [
      ...baseline.observations.map((one) => ({ id: idOf(one) })),
      ...baseline.ids.map((id) => ({ id: unmergedId(before, id) })),
    ],
  };
}

function unmergedId(
  vulnerabilities: ReadonlyMap<string, TrackedVulnerability>,
  id: string,
): string {
  const into = vulnerabilities.get(id)?.merged_into ?? null;
  return into === null ? id : unmergedId(vulnerabilities, into);
}
