import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readComponents } from '@bomtrail/messages';
import type { KeyedMutex, Request } from '@bomtrail/service-kit';
import type { Component } from '../domain/component';
import {
  emptyPlacedSet,
  placeComponent,
  placeOf,
  type Place,
  type PlacedSet,
} from '../domain/component-set';

export interface PlaceComponentsDeps {
  request: Request;
  withKey: KeyedMutex;
  /** Places that were found before, by purl, version, name and source: fleets send the same packages again and again. */
  places: { get(key: string): Place | undefined; set(key: string, place: Place): unknown };
}

const unzip = promisify(gunzip);
/** About 10 ms of work. */
const componentsPerTurn = 2000;
/** Compressed bytes (about 5,000 components) above which sets are taken one at a time, for memory's sake. */
const bigSetBytes = 128 * 1024;

/** Visits the components of a set with their places, in their order, as often as it is called. */
export type Walk = (visit: (component: Component, place: Place) => void) => Promise<void>;

/**
 * Reads the components of a set from ingest, finds out which package versions they are, and hands
 * them to `work`.
 *
 * @throws AppError `sbom_not_found` when ingest does not hold the set, or what `work` throws
 */
export async function withPlacedSet<Result>(
  deps: PlaceComponentsDeps,
  digest: string,
  work: (set: PlacedSet) => Promise<Result>,
): Promise<Result> {
  return withComponents(deps, digest, async (walk) => {
    const set = emptyPlacedSet();
    await walk((component, place) => placeComponent(set, component, place));
    return work(set);
  });
}

/** The same, one component after the other. */
export async function withComponents<Result>(
  deps: PlaceComponentsDeps,
  digest: string,
  work: (walk: Walk) => Promise<Result>,
): Promise<Result> {
  const { body, attachment } = await deps.request(readComponents, { digest });
  if (!attachment) throw new Error(`The components of the set ${digest} came without a body.`);
  const readThenWork = async (): Promise<Result> => {
    const text = (await unzip(attachment)).toString('utf8');
    const dependencies = JSON.parse(text) as Component[];
    const roots = (body.roots ?? []).map((root): Component => ({ ...root, is_root: true }));
    return work((visit) => walkAlong(deps, [...roots, ...dependencies], visit));
  };
  return attachment.byteLength > bigSetBytes
    ? deps.withKey('big set', readThenWork)
    : readThenWork();
}

async function walkAlong(
  deps: PlaceComponentsDeps,
  components: readonly Component[],
  visit: Parameters<Walk>[0],
): Promise<void> {
  for (const [index, component] of components.entries()) {
    if (index > 0 && index % componentsPerTurn === 0) await nextTurn();
    const { purl, version, name, source_package: source = '' } = component;
    const key = `${purl}\n${version}\n${name}\n${source}`;
    let known = deps.places.get(key);
    if (!known) {
      known = placeOf(component);
      deps.places.set(key, known);
    }
    visit(component, known);
  }
}
