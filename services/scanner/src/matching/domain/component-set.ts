import {
  findingPackageKey,
  locate,
  releaseOfComponent,
  type PackageVersion,
  type SourceDataStatus,
} from '@bomtrail/osv';
import { cleanAssessment, type AssessmentSummary } from './assess-version';
import type { Component, MatchedComponent } from './component';
import { extraNameOf, type ComponentName } from './component-name';
import { ownReason, undecidedOf } from './own-reason';
import { versionIdOf } from './version-id';

/** The components of a set, resolved to package versions. */
export interface ResolvedSet {
  resolved: { component: Component; versionIds: readonly string[]; source: SourceDataStatus }[];
  /** Whether any component names its source package. */
  namesSources: boolean;
  /** Distinct package versions by id. */
  versions: Map<string, PackageVersion>;
  /** Number of components without a package version, by reason. */
  unresolved: Record<string, number>;
  /** Number of root components (the subjects of the document). */
  roots: number;
  /** Search entries that the package versions do not cover, by id. */
  names: Map<string, ComponentName>;
}

/** Components with matches, and counts of what was evaluated. */
export interface SetSummary {
  matched: MatchedComponent[];
  counts: SetCounts;
}

/** Component counts; components = evaluated + undetermined. */
export interface SetCounts {
  components: number;
  /** By ecosystem; for distributions by release: `npm`, `Debian:12`. */
  evaluated: Record<string, number>;
  /** By reason. */
  undetermined: Record<string, number>;
  /** Number of distinct undecided advisories; absent when zero. */
  undecided?: number;
  /** Counts of the root components; absent when there are none. */
  roots?: { components: number; evaluated: Record<string, number> };
}

export function emptyResolvedSet(): ResolvedSet {
  return {
    resolved: [],
    namesSources: false,
    versions: new Map(),
    unresolved: {},
    roots: 0,
    names: new Map(),
  };
}

/** The package versions of a component (one or more, rule M29), or why it has none. */
export type Resolution = { extraName: ComponentName | null } & (
  | {
      versionIds: readonly string[];
      versions: readonly PackageVersion[];
      source: SourceDataStatus;
    }
  | { reason: string }
);

/** Resolves a component by its purl, version, name and source package. */
export function resolveComponent(
  component: Pick<Component, 'purl' | 'version' | 'name' | 'source_package'>,
): Resolution {
  const located = locate(component);
  if (located.kind === 'undetermined') {
    return { reason: located.reason, extraName: extraNameOf(component, []) };
  }
  const { packages, source } = located;
  const extraName = extraNameOf(component, packages);
  return { versionIds: packages.map(versionIdOf), versions: packages, source, extraName };
}

/** Adds one component to the set. */
export function addComponent(set: ResolvedSet, component: Component, resolution: Resolution): void {
  if (resolution.extraName) set.names.set(resolution.extraName._id, resolution.extraName);
  if (component.is_root) set.roots += 1;
  if ('reason' in resolution) {
    countOne(set.unresolved, resolution.reason);
    return;
  }
  const { versionIds, versions, source } = resolution;
  for (const [index, version] of versions.entries())
    set.versions.set(versionIds[index] ?? '', version);
  set.resolved.push({ component, versionIds, source });
  set.namesSources ||= source === 'named';
}

/**
 * Summarises a set by the assessments of its package versions. A component with several package
 * versions matches when any of them has matches, and is undetermined when any of them is. A missing
 * assessment means no matches.
 */
export function summariseSet(
  set: ResolvedSet,
  assessments: ReadonlyMap<string, AssessmentSummary>,
): SetSummary {
  const by = {
    assessmentOf: (id: string): AssessmentSummary => assessments.get(id) ?? cleanAssessment,
    namesSources: set.namesSources,
  };
  const matched: MatchedComponent[] = [];
  const evaluated: Record<string, number> = {};
  const undecided = new Set<string>();
  const evaluatedRoots: Record<string, number> = {};
  const undetermined = { ...set.unresolved };
  let components = Object.values(set.unresolved).reduce((sum, count) => sum + count, 0);
  for (const one of set.resolved) {
    const { component, versionIds } = one;
    components += 1;
    const reason = ownReason(one, by);
    const matches = versionIds.reduce((sum, id) => sum + by.assessmentOf(id).matches.length, 0);
    const version = set.versions.get(versionIds[0] ?? '');
    const release = version ? releaseOfComponent(version) : '';
    if (reason === null) countOne(evaluated, release);
    else countOne(undetermined, reason);
    for (const id of undecidedOf(one, by)) undecided.add(id);
    if (reason === null && component.is_root) countOne(evaluatedRoots, release);
    if (matches > 0 && version)
      matched.push(matchedComponentOf(component, { versionIds, version, matches }));
  }
  const roots = { components: set.roots, evaluated: evaluatedRoots };
  const counts = {
    components,
    evaluated,
    undetermined,
    ...(undecided.size > 0 && { undecided: undecided.size }),
    ...(set.roots > 0 && { roots }),
  };
  return { matched, counts };
}

function matchedComponentOf(
  component: Component,
  found: { versionIds: readonly string[]; version: PackageVersion; matches: number },
): MatchedComponent {
  const { versionIds, version, matches } = found;
  const [versionId = '', ...others] = versionIds;
  return {
    // Only components with a purl are resolved.
    purl: component.purl ?? '',
    package_name: component.name,
    package_version: component.version,
    is_direct: component.is_direct,
    ...(component.is_root ? { is_root: true } : {}),
    version_id: versionId,
    ...(others.length > 0 ? { other_version_ids: others } : {}),
    package_key: findingPackageKey({ package_name: component.name }, version),
    matches,
  };
}

function countOne(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
