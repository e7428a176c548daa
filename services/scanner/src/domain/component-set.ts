import { locate, type PackageVersion } from '@bomtrail/osv';
import { cleanAssessment, type Assessment } from './assess-version';
import type { Component, Hit } from './component';
import { versionIdOf } from './version-id';

/** The components of a set with the package versions that they are. */
export interface PlacedSet {
  placed: { component: Component; versionId: string }[];
  /** The distinct package versions by id. */
  versions: Map<string, PackageVersion>;
  /** Components that are no package version, by reason. */
  unplaced: Record<string, number>;
}

/** What a set is known by: who has matches, and what could not be judged. */
export interface SetSummary {
  hits: Hit[];
  counts: SetCounts;
}

/** Components by how they were judged; the three add up: components = evaluated + undetermined. */
export interface SetCounts {
  components: number;
  /** By ecosystem. */
  evaluated: Record<string, number>;
  /** By reason. */
  undetermined: Record<string, number>;
}

export function emptyPlacedSet(): PlacedSet {
  return { placed: [], versions: new Map(), unplaced: {} };
}

/** Which package version a component is, or why it is none. */
export type Place = { versionId: string; version: PackageVersion } | { reason: string };

/** Follows from the component's purl and version alone. */
export function placeOf(component: Pick<Component, 'purl' | 'version'>): Place {
  const located = locate(component);
  return located.kind === 'undetermined'
    ? { reason: located.reason }
    : { versionId: versionIdOf(located.package), version: located.package };
}

/** Adds one component to the set. */
export function placeComponent(set: PlacedSet, component: Component, place: Place): void {
  if ('reason' in place) {
    countOne(set.unplaced, place.reason);
    return;
  }
  set.versions.set(place.versionId, place.version);
  set.placed.push({ component, versionId: place.versionId });
}

/** Who of the set has matches, and how much of it was judged. A version without assessment is clean. */
export function summariseSet(
  set: PlacedSet,
  assessments: ReadonlyMap<string, Assessment>,
): SetSummary {
  const hits: Hit[] = [];
  const evaluated: Record<string, number> = {};
  const undetermined = { ...set.unplaced };
  let components = Object.values(set.unplaced).reduce((sum, count) => sum + count, 0);
  for (const { component, versionId } of set.placed) {
    components += 1;
    const { matches, undetermined: reason } = assessments.get(versionId) ?? cleanAssessment;
    if (reason === null) countOne(evaluated, set.versions.get(versionId)?.ecosystem ?? '');
    else countOne(undetermined, reason);
    if (matches.length > 0) hits.push(hitOf(component, versionId));
  }
  return { hits, counts: { components, evaluated, undetermined } };
}

function hitOf(component: Component, versionId: string): Hit {
  return {
    // Only what has a purl is ever placed.
    purl: component.purl ?? '',
    package_name: component.name,
    package_version: component.version,
    is_direct: component.is_direct,
    version_id: versionId,
  };
}

function countOne(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
