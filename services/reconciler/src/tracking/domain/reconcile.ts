import { assignStatus } from './assign-status';
import { withDetection, type FindingsChange, newInterval } from './detected';
import { expiredContent, retained } from './expired-versions';
import { identify, uniteGroups } from './identify';
import { toSnapshot } from './snapshot';
import type { ActiveDecision } from './decision-types';
import type {
  SbomVersion,
  Observation,
  TrackedVulnerability,
  Snapshot,
  PresenceInterval,
} from './types';
import { addTo } from './grouped';
import { clearPresence, isPresent } from './presence';
import { sameValue } from './same-value';

/** The facts that the tracked vulnerabilities of a service follow from. */
export interface Facts {
  service_id: string;
  /** The stored vulnerabilities; `recompute` uses their identities and times of detection only. */
  vulnerabilities: readonly TrackedVulnerability[];
  acceptances: readonly ActiveDecision[];
  /** Findings by component set; must contain every digest of the versions to be applied, except expired ones. */
  observations: ReadonlyMap<string, readonly Observation[]>;
  now: string;
  newId: () => string;
  /** For `recompute`; absent: none of the versions was applied before. */
  change?: FindingsChange;
}

/** The vulnerabilities of a service and its newest SBOM version. */
export interface ServiceState {
  head: SbomVersion | null;
  vulnerabilities: TrackedVulnerability[];
}

/**
 * Computes the vulnerabilities of a service from all its SBOM versions. The same facts give the same result,
 * in whatever order the scans ended. Of expired versions it takes what is stored (R19).
 *
 * @param sbomVersions existing, scanned versions, in any order
 */
export function recompute(facts: Facts, sbomVersions: readonly SbomVersion[]): ServiceState {
  // Versions with the same findings share one list; process each list once.
  const lists = new Set(
    retained(sbomVersions).map(({ digest }) => facts.observations.get(digest) ?? []),
  );
  const observed = [...lists].flat();
  const identified = identify(facts.vulnerabilities, uniteGroups(observed), facts.newId);
  let presence: Presence = {
    head: null,
    vulnerabilities: new Map(
      identified.vulnerabilities.map((vulnerability) => [
        vulnerability.id,
        clearPresence(vulnerability),
      ]),
    ),
  };
  const inOrder = [...sbomVersions].sort((a, b) => a.seq - b.seq);
  const snapshotsByList = new Map<readonly Observation[] | undefined, Map<string, Snapshot>>();
  let before: Map<string, Snapshot> | null = null;
  const expired = expiredContent(facts.vulnerabilities, identified.vulnerabilities);
  const contentOf = (sbomVersion: SbomVersion): Map<string, Snapshot> => {
    if (sbomVersion.expired) return expired(sbomVersion);
    const list = facts.observations.get(sbomVersion.digest);
    const snapshots =
      snapshotsByList.get(list) ??
      snapshotsOf(facts, sbomVersion.digest, identified.vulnerabilityIdOf);
    snapshotsByList.set(list, snapshots);
    return snapshots;
  };
  for (const sbomVersion of inOrder) {
    const snapshots = contentOf(sbomVersion);
    // A version that contains the same as the one before changes nothing.
    presence =
      snapshots === before
        ? { head: sbomVersion, vulnerabilities: presence.vulnerabilities }
        : applyVersion(presence, sbomVersion, snapshots);
    before = snapshots;
  }
  const detected = withDetection([...presence.vulnerabilities.values()], facts.vulnerabilities, {
    sbomVersions: inOrder,
    change: facts.change,
  });
  return {
    head: presence.head,
    vulnerabilities: assignStatus(detected, facts.acceptances, facts),
  };
}

/**
 * Appends one version at the end, the usual case. Null if identities were reshaped, so that past versions
 * change too: use `recompute`.
 */
export function append(
  facts: Facts,
  head: SbomVersion | null,
  sbomVersion: SbomVersion,
): ServiceState | null {
  const observed = facts.observations.get(sbomVersion.digest) ?? [];
  const identified = identify(facts.vulnerabilities, uniteGroups(observed), facts.newId);
  if (identified.reshaped) return null;
  const presence = applyVersion(
    {
      head,
      vulnerabilities: new Map(
        identified.vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]),
      ),
    },
    sbomVersion,
    snapshotsOf(facts, sbomVersion.digest, identified.vulnerabilityIdOf),
  );
  return {
    head: sbomVersion,
    vulnerabilities: assignStatus(presence.vulnerabilities.values(), facts.acceptances, facts),
  };
}

/** The snapshots of a component set, by vulnerability id. */
export function snapshotsOf(
  facts: Facts,
  digest: string,
  vulnerabilityIdOf: (packageKey: string, alias: string) => string | undefined,
): Map<string, Snapshot> {
  const observed = facts.observations.get(digest);
  if (!observed) throw new Error(`The scan of component set ${digest} was not read.`);
  const byVulnerability = new Map<string, Observation[]>();
  for (const observation of observed) {
    const vulnerabilityId = vulnerabilityIdOf(
      observation.package_key,
      (observation.aliases[0] ?? '').toUpperCase(),
    );
    if (vulnerabilityId === undefined)
      throw new Error(`No tracked vulnerability matches ${observation.cve_id}.`);
    addTo(byVulnerability, vulnerabilityId, observation);
  }
  return new Map(
    [...byVulnerability].map(([vulnerabilityId, observations]) => [
      vulnerabilityId,
      toSnapshot(observations),
    ]),
  );
}

/** The vulnerabilities of a service after a prefix of its SBOM versions. */
export interface Presence {
  /** The newest version so far. */
  head: SbomVersion | null;
  vulnerabilities: ReadonlyMap<string, TrackedVulnerability>;
}

/**
 * Applies the next SBOM version. Presence is a function of the existing versions in order of sequence. The
 * interval of a present vulnerability is open-ended, so a version without changes rewrites nothing.
 *
 * - R7 A vulnerability that was absent and is in the version starts a presence interval.
 * - R8 A vulnerability that was present and is not in the version ends its interval at the version before.
 * - R9 First seen is the first version that contains it; last seen is recorded once it is no longer present.
 *
 * @param snapshots what the version contains, by vulnerability id
 */
export function applyVersion(
  before: Presence,
  sbomVersion: SbomVersion,
  snapshots: ReadonlyMap<string, Snapshot>,
): Presence {
  const vulnerabilities = new Map(before.vulnerabilities);
  for (const [id, snapshot] of snapshots) {
    const vulnerability = vulnerabilities.get(id);
    if (!vulnerability) throw new Error(`There is no tracked vulnerability ${id}.`);
    const present = isPresent(vulnerability);
    if (present && sameValue(vulnerability.snapshot, snapshot)) continue;
    vulnerabilities.set(id, {
      ...vulnerability,
      presence: present
        ? vulnerability.presence
        : [...vulnerability.presence, newInterval(sbomVersion, null)],
      first_seen_at: vulnerability.first_seen_at ?? sbomVersion.created_at,
      last_seen: null,
      snapshot,
    });
  }
  for (const vulnerability of before.vulnerabilities.values()) {
    if (!isPresent(vulnerability) || snapshots.has(vulnerability.id) || !before.head) continue;
    vulnerabilities.set(vulnerability.id, {
      ...vulnerability,
      presence: endInterval(vulnerability.presence, before.head.seq),
      last_seen: { sbom_id: before.head.sbom_id, at: before.head.created_at },
    });
  }
  return { head: sbomVersion, vulnerabilities };
}

function endInterval(presence: readonly PresenceInterval[], to: number): PresenceInterval[] {
  return presence.map((interval, index) =>
    index === presence.length - 1 ? { ...interval, to } : interval,
  );
}
