import {
  AppError,
  maxAffectedOfSet,
  type AffectedComponents,
  type MatchedVersion,
} from '@bomtrail/messages';
import { packJson } from '@bomtrail/messaging';
import { pagesOf } from '../domain/pages';
import { versionIdsOf, type MatchedComponent } from '../matching/domain/component';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { EvaluatedSet } from '../matching/store/set-evaluations';
import type { PackageVersionStore } from '../matching/store/package-version-store';

export interface ListAffectedComponentsDeps {
  sets: Pick<ComponentSetStore, 'readSome'>;
  versions: Pick<PackageVersionStore, 'visit'>;
}

/** Sets in memory at once. */
const setsPerRead = 16;
/** Components at which a response ends. */
const maxComponents = 50_000;
const versionsPerRead = 1_000;

/**
 * Lists the components of component sets that advisories match, with their package versions, so that
 * other versions of the same packages can be judged.
 *
 * @returns `answered`: number of sets that the response covers, from the first on;
 *   `packed`: `AffectedComponents`
 */
export async function listAffectedComponents(
  deps: ListAffectedComponentsDeps,
  digests: readonly string[],
): Promise<{ answered: number; packed: Uint8Array }> {
  const list = new ComponentList();
  let answered = 0;
  for (const page of pagesOf(digests, { items: setsPerRead })) {
    const found = await Promise.all(page.map((digest) => readAtMost(deps, digest)));
    for (const [index, set] of found.entries()) list.add(page[index] ?? '', set);
    answered += page.length;
    if (list.size >= maxComponents) break;
  }
  const known = new Map<string, MatchedVersion>();
  for (const ids of pagesOf(list.versionIds, { items: versionsPerRead }))
    await deps.versions.visit(ids, ({ _id, ecosystem, suffix, name, version }) =>
      known.set(_id, { ecosystem, suffix, name, version }),
    );
  return { answered, packed: await packJson(JSON.stringify(list.with(known))) };
}

/** A set with at most `maxAffectedOfSet` matched components; `many`: it has more. */
async function readAtMost(
  { sets }: ListAffectedComponentsDeps,
  digest: string,
): Promise<EvaluatedSet | 'many' | null> {
  let count = 0;
  const set = await sets.readSome(digest, () => (count += 1) <= maxAffectedOfSet).catch(onChange);
  return set && count > maxAffectedOfSet ? 'many' : set;
}

/** A set that keeps changing counts as one that is not evaluated: its plan follows with the next read. */
function onChange(error: unknown): null {
  if (error instanceof AppError && error.code === 'service_unavailable') return null;
  throw error;
}

/** Components of several sets, each once. */
class ComponentList {
  private readonly components: MatchedComponent[] = [];
  private readonly positions = new Map<string, number>();
  private readonly sets: AffectedComponents['sets'] = [];
  readonly versionIds = new Set<string>();

  get size(): number {
    return this.components.length;
  }

  add(digest: string, set: EvaluatedSet | 'many' | null): void {
    if (set === null) return;
    const components = set === 'many' ? null : set.matched.map((one) => this.positionOf(one));
    this.sets.push({ digest, components });
  }

  with(known: ReadonlyMap<string, MatchedVersion>): AffectedComponents {
    const positions = new Map([...known.keys()].map((id, index) => [id, index]));
    return {
      versions: [...known.values()],
      components: this.components.map((one) => ({
        package_key: one.package_key,
        purl: one.purl,
        package_name: one.package_name,
        package_version: one.package_version,
        is_direct: one.is_direct,
        versions: versionIdsOf(one).flatMap((id) => positions.get(id) ?? []),
      })),
      sets: this.sets,
    };
  }

  private positionOf(component: MatchedComponent): number {
    const { purl, package_name, package_version, is_direct } = component;
    const ids = versionIdsOf(component);
    const key = `${is_direct} ${ids.join()}\n${purl}\n${package_name}\n${package_version}`;
    const known = this.positions.get(key);
    if (known !== undefined) return known;
    for (const id of ids) this.versionIds.add(id);
    const position = this.components.push(component) - 1;
    this.positions.set(key, position);
    return position;
  }
}
