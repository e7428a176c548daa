import {
  listAffectedComponents,
  maxAffectedSets,
  type AffectedComponent,
  type AffectedComponents,
  type MatchedVersion,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import { addTo } from '../tracking/domain/grouped';

/** An affected component with its package versions. */
export interface KnownComponent extends Omit<AffectedComponent, 'versions'> {
  versions: readonly MatchedVersion[];
}

/** The affected components of some component sets. */
export interface ComponentsOfSets {
  /** By digest, then by package key. */
  bySet: ReadonlyMap<string, ReadonlyMap<string, readonly KnownComponent[]>>;
  /** False: a set has too many, or was not evaluated. */
  complete: boolean;
}

/**
 * Reads the affected components of component sets from the scanner. Equal components are one object.
 *
 * @param packages only components of these package keys are kept
 * @throws AppError `service_unavailable` if the scanner cannot be asked
 */
export async function readComponents(
  { request }: { request: Request },
  digests: readonly string[],
  packages: { has(packageKey: string): boolean },
): Promise<ComponentsOfSets> {
  const bySet = new Map<string, Map<string, KnownComponent[]>>();
  const shared = new Map<string, KnownComponent>();
  const left = [...new Set(digests)];
  const count = left.length;
  while (left.length > 0) {
    const page = left.slice(0, maxAffectedSets);
    const { body, attachment } = await request(listAffectedComponents, { digests: page });
    const found = (await unpackJson(attachment ?? Buffer.alloc(0))) as AffectedComponents;
    const components = found.components.map((one) => sharedIn(shared, knownComponent(one, found)));
    for (const set of found.sets) {
      if (set.components === null) continue;
      const byPackage = new Map<string, KnownComponent[]>();
      for (const position of set.components) {
        const component = components[position];
        if (!component || !packages.has(component.package_key)) continue;
        addTo(byPackage, component.package_key, component);
      }
      bySet.set(set.digest, byPackage);
    }
    left.splice(0, Math.max(1, body.answered));
  }
  return { bySet, complete: bySet.size === count };
}

function knownComponent(
  { versions, ...component }: AffectedComponent,
  found: AffectedComponents,
): KnownComponent {
  return { ...component, versions: versions.flatMap((at) => found.versions[at] ?? []) };
}

function sharedIn(shared: Map<string, KnownComponent>, component: KnownComponent): KnownComponent {
  const key = JSON.stringify(component);
  const known = shared.get(key);
  if (!known) shared.set(key, component);
  return known ?? component;
}
