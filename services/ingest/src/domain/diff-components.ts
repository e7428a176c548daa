import { packageIdentity, parsePurl } from '@bomtrail/purl';
import type { Dependency } from '@bomtrail/sbom-formats';
import { inVersionOrder } from './version-order';

/** The fields of a dependency that a diff compares. */
export type Component = Pick<Dependency, 'name' | 'version' | 'purl' | 'type'>;

export interface DiffPackage {
  name: string;
  version: string;
}

export interface DiffChange {
  name: string;
  from_version: string;
  to_version: string;
}

/** `SBOMDiffResponse` of the interface specification. */
export interface ComponentsDiff {
  added: DiffPackage[];
  removed: DiffPackage[];
  changed: DiffChange[];
}

/** One package (R1) with its entries on both sides. */
interface DiffedPackage {
  identity: string;
  purlType: string | null;
  from: Component[];
  to: Component[];
}

/**
 * Returns what `to` adds, removes and changes against `from` (docs/diff.md):
 *
 * - R1 A package is identified by its purl without version and qualifiers; without a readable purl
 *   by name and type.
 * - R2 A version counts once per side; versions on both sides cancel out. Versions are compared as
 *   text, so a rebuild (`1.0+1`, `1.0+2`) is a change.
 * - R3 The remaining versions of a package pair up in version order, lowest first, as `changed`;
 *   the rest is added or removed.
 * - R4 All three arrays are sorted by name (code units), then by package and version order.
 *
 * The order of the components does not matter, and swapping the sides mirrors the result. A package
 * with several spellings of its name gets the smallest.
 */
export function diffComponents(
  from: readonly Component[],
  to: readonly Component[],
): ComponentsDiff {
  const packages = new Map<string, DiffedPackage>();
  for (const component of from) packageOf(packages, component).from.push(component);
  for (const component of to) packageOf(packages, component).to.push(component);
  const added: SortEntry<DiffPackage>[] = [];
  const removed: SortEntry<DiffPackage>[] = [];
  const changed: SortEntry<DiffChange>[] = [];
  for (const one of packages.values()) {
    const { removedVersions, arrived } = differing(one);
    const { identity } = one;
    const pairs = Math.min(removedVersions.length, arrived.length);
    for (let at = 0; at < pairs; at++) {
      changed.push({ identity, entry: changeOf(removedVersions[at], arrived[at]) });
    }
    for (const entry of removedVersions.slice(pairs)) removed.push({ identity, entry });
    for (const entry of arrived.slice(pairs)) added.push({ identity, entry });
  }
  return { added: sorted(added), removed: sorted(removed), changed: sorted(changed) };
}

function packageOf(packages: Map<string, DiffedPackage>, component: Component): DiffedPackage {
  const purl = component.purl === null ? null : parsePurl(component.purl);
  const identity = purl ? packageIdentity(purl) : JSON.stringify([component.name, component.type]);
  const known = packages.get(identity);
  if (known) return known;
  const begun = { identity, purlType: purl?.type ?? null, from: [], to: [] };
  packages.set(identity, begun);
  return begun;
}

/** R2: the versions on one side only, in version order. */
function differing(one: DiffedPackage): { removedVersions: DiffPackage[]; arrived: DiffPackage[] } {
  const from = namesByVersion(one.from);
  const to = namesByVersion(one.to);
  // One order for both sides makes the result symmetric.
  const versions = inVersionOrder(
    [
      ...[...from.keys()].filter((version) => !to.has(version)),
      ...[...to.keys()].filter((version) => !from.has(version)),
    ],
    one.purlType,
  );
  const of = (side: Map<string, string>): DiffPackage[] =>
    versions.flatMap((version) => {
      const name = side.get(version);
      return name === undefined ? [] : [{ name, version }];
    });
  return { removedVersions: of(from), arrived: of(to) };
}

function namesByVersion(side: readonly Component[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, version } of side) {
    names.set(version, smaller(names.get(version) ?? name, name));
  }
  return names;
}

function changeOf(
  removedVersions: DiffPackage | undefined,
  arrived: DiffPackage | undefined,
): DiffChange {
  if (!removedVersions || !arrived) throw new Error('A change has two versions.');
  return {
    name: smaller(removedVersions.name, arrived.name),
    from_version: removedVersions.version,
    to_version: arrived.version,
  };
}

interface SortEntry<Entry> {
  identity: string;
  entry: Entry;
}

/** R4. The sort is stable, so versions of a package keep their order. */
function sorted<Entry extends { name: string }>(entries: SortEntry<Entry>[]): Entry[] {
  return entries
    .sort(
      (one, other) =>
        order(one.entry.name, other.entry.name) || order(one.identity, other.identity),
    )
    .map(({ entry }) => entry);
}

function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function smaller(one: string, other: string): string {
  return one < other ? one : other;
}
