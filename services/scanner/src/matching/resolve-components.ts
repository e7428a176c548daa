import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { readComponents, type RootComponent } from '@bomtrail/messages';
import type { KeyedMutex } from '@bomtrail/concurrency';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { Component } from './domain/component';
import {
  emptyResolvedSet,
  addComponent,
  resolveComponent,
  type Resolution,
  type ResolvedSet,
} from './domain/component-set';

export interface ResolveComponentsDeps {
  request: Request;
  withKey: KeyedMutex;
  /** Cached resolutions, see `resolutionOf`; the same packages recur in many SBOMs. */
  resolutions: {
    get(key: string): CachedResolution | undefined;
    set(key: string, resolution: CachedResolution): unknown;
  };
}

/** A resolution with the fields of the component that it follows from. */
export interface CachedResolution {
  of: Pick<Component, 'purl' | 'version' | 'name' | 'source_package'>;
  resolution: Resolution;
}

/** About 10 ms of work. */
const componentsPerSlice = 2000;
/**
 * Compressed bytes (about 5,000 components) above which sets are processed one at a time, to bound
 * memory.
 */
const bigSetBytes = 128 * 1024;

/** Visits the components of a set with their resolutions, in order; may be called repeatedly. */
export type Walk = (visit: (component: Component, resolution: Resolution) => void) => Promise<void>;

/** The components of a document, as ingest returns them. */
export interface PackedComponents {
  roots: readonly RootComponent[];
  /** Its dependencies: a gzip'd JSON array. */
  packed: Uint8Array;
}

/**
 * Reads the components of a set from ingest, resolves them and passes them to `work`.
 *
 * @throws AppError `sbom_not_found` when ingest does not have the set, or the error of `work`
 */
export async function withResolvedSet<Result>(
  deps: ResolveComponentsDeps,
  digest: string,
  work: (set: ResolvedSet) => Promise<Result>,
): Promise<Result> {
  return withResolved(deps, await readPacked(deps, digest), work);
}

/** As `withResolvedSet`, with components at hand. */
export async function withResolved<Result>(
  deps: Omit<ResolveComponentsDeps, 'request'>,
  components: PackedComponents,
  work: (set: ResolvedSet) => Promise<Result>,
): Promise<Result> {
  return walkComponents(deps, components, async (walk) => {
    const set = emptyResolvedSet();
    await walk((component, resolution) => addComponent(set, component, resolution));
    return work(set);
  });
}

/** As `withResolvedSet`, one component at a time. */
export async function withComponents<Result>(
  deps: ResolveComponentsDeps,
  digest: string,
  work: (walk: Walk) => Promise<Result>,
): Promise<Result> {
  return walkComponents(deps, await readPacked(deps, digest), work);
}

async function readPacked(
  { request }: Pick<ResolveComponentsDeps, 'request'>,
  digest: string,
): Promise<PackedComponents> {
  const { body, attachment } = await request(readComponents, { digest });
  if (!attachment)
    throw new Error(`The components of the set ${digest} are missing in the response.`);
  return { roots: body.roots ?? [], packed: attachment };
}

async function walkComponents<Result>(
  deps: Omit<ResolveComponentsDeps, 'request'>,
  { roots, packed }: PackedComponents,
  work: (walk: Walk) => Promise<Result>,
): Promise<Result> {
  const readThenWork = async (): Promise<Result> => {
    const dependencies = (await unpackJson(packed)) as Component[];
    const subjects = roots.map((root): Component => ({ ...root, is_root: true }));
    return work((visit) => visitAll(deps, [...subjects, ...dependencies], visit));
  };
  return packed.byteLength > bigSetBytes ? deps.withKey('big set', readThenWork) : readThenWork();
}

async function visitAll(
  deps: Pick<ResolveComponentsDeps, 'resolutions'>,
  components: readonly Component[],
  visit: Parameters<Walk>[0],
): Promise<void> {
  for (const [index, component] of components.entries()) {
    if (index > 0 && index % componentsPerSlice === 0) await yieldToEventLoop();
    visit(component, resolutionOf(deps.resolutions, component));
  }
}

/**
 * The resolution of a component, cached. The key is its purl, or its name without one: a text of all its
 * fields would have to be built for each component of each set. Such a text is the key only where a
 * different component with the same purl was cached first.
 */
function resolutionOf(
  resolutions: ResolveComponentsDeps['resolutions'],
  component: Component,
): Resolution {
  const { purl, version, name, source_package } = component;
  let key = purl ?? name;
  let known = resolutions.get(key);
  if (known && !isOf(known, component)) {
    key = JSON.stringify([purl, version, name, source_package]);
    known = resolutions.get(key);
  }
  // A name may be any text, even such a key.
  if (!known || !isOf(known, component)) {
    const of = { purl, version, name, ...(source_package !== undefined && { source_package }) };
    known = { of, resolution: resolveComponent(of) };
    resolutions.set(key, known);
  }
  return known.resolution;
}

function isOf({ of }: CachedResolution, component: Component): boolean {
  return (
    of.purl === component.purl &&
    of.version === component.version &&
    of.name === component.name &&
    of.source_package === component.source_package
  );
}
