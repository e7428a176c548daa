import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readComponents } from '@bomtrail/messages';
import type { InTurn, Request } from '@bomtrail/service-kit';
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
  inTurn: InTurn;
  /** Places that were found before, by purl and version: fleets send the same packages again and again. */
  places: { get(key: string): Place | undefined; set(key: string, place: Place): unknown };
}

const unzip = promisify(gunzip);
/** About 10 ms of work. */
const componentsPerTurn = 2000;
/** Compressed bytes (about 10,000 components) above which sets are taken one at a time, for memory's sake. */
const bigSetBytes = 256 * 1024;

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
  const { attachment } = await deps.request(readComponents, { digest });
  if (!attachment) throw new Error(`The components of the set ${digest} came without a body.`);
  const placeThenWork = async (): Promise<Result> => work(await place(deps, attachment));
  return attachment.byteLength > bigSetBytes
    ? deps.inTurn('big set', placeThenWork)
    : placeThenWork();
}

async function place(deps: PlaceComponentsDeps, bytes: Uint8Array): Promise<PlacedSet> {
  const components = JSON.parse((await unzip(bytes)).toString('utf8')) as Component[];
  const set = emptyPlacedSet();
  for (const [index, component] of components.entries()) {
    if (index > 0 && index % componentsPerTurn === 0) await nextTurn();
    const key = `${component.purl}\n${component.version}`;
    let known = deps.places.get(key);
    if (!known) {
      known = placeOf(component);
      deps.places.set(key, known);
    }
    placeComponent(set, component, known);
  }
  return set;
}
