import * as extremes from './extremes';
import { fieldOfSome, isObject, putAt, somePlace, valueAt, type Json, type Place } from './places';
import type { Random } from './random';

export interface Mutating {
  random: Random;
  /** Another document, to take parts from. Is not changed. */
  donor: Json;
}

/** Changes a parsed document in place. Does nothing where the document has no place for it. */
export type StructureOperator = (document: Json, mutating: Mutating) => void;

/** A number by this text is put in when the document is written, see `writeDocument`. */
export const numberMark = '\u0001number:';

const identityFields = ['name', 'version', 'purl', 'bom-ref', 'group', 'SPDXID', 'versionInfo'];
/** Four of them in one another can still be copied and written; deeper ones are inputs of their own. */
const maxDepth = 500;
const manyCopies = 300;

export const structureOperators: Readonly<Record<string, StructureOperator>> = {
  drop: atSome(({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  }),
  duplicate: atSome((place, { random }) => {
    const { holder, key } = place;
    const copy = structuredClone(valueAt(place));
    if (Array.isArray(holder)) holder.splice(random.below(holder.length + 1), 0, copy);
    else putAt({ holder, key: `${key}2` }, copy);
  }),
  multiply: atSome(({ holder, key }) => {
    if (Array.isArray(holder)) {
      const copies = Array.from({ length: manyCopies }, () => holder[Number(key)] ?? null);
      holder.push(...copies);
    }
  }),
  swap: (document, { random }) => {
    const [one, other] = [somePlace(random, document), somePlace(random, document)];
    if (one === undefined || other === undefined) return;
    const [first, second] = [structuredClone(valueAt(one)), structuredClone(valueAt(other))];
    putAt(one, second);
    putAt(other, first);
  },
  rename: atSome((place, { random, donor }) => {
    const { holder } = place;
    const named = somePlace(random, donor)?.key ?? random.pick(extremes.texts);
    if (!Array.isArray(holder)) putAt({ holder, key: String(named) }, valueAt(place));
  }),
  'other type': atSome((place, { random }) => putAt(place, random.pick(extremes.kinds))),
  splice: atSome((place, { random, donor }) => {
    const taken = somePlace(random, donor);
    if (taken !== undefined) putAt(place, structuredClone(valueAt(taken)));
  }),
  'other format': (document, { donor }) => {
    if (!isObject(document) || !isObject(donor)) return;
    for (const [key, value] of Object.entries(structuredClone(donor))) {
      if (!Object.hasOwn(document, key)) putAt({ holder: document, key }, value);
    }
  },
  text: atSome((place, { random }) => putAt(place, random.pick(extremes.texts))),
  date: atSome((place, { random }) => putAt(place, random.pick(extremes.dates))),
  number: atSome((place, { random }) =>
    putAt(place, `${numberMark}${random.pick(extremes.numbers)}`),
  ),
  'deep nest': atSome((place, { random }) => {
    let nest: Json = valueAt(place);
    for (let depth = random.below(maxDepth); depth > 0; depth -= 1) {
      nest = depth % 2 === 0 ? [nest] : { components: nest };
    }
    putAt(place, nest);
  }),
  identity: (document, { random }) => {
    const place = fieldOfSome(random, document, identityFields);
    if (place) putAt(place, random.pick([...extremes.texts, ...extremes.versions]));
  },
  purl: (document, { random }) => putPurl(document, random),
  'cycle in the graph': (document, { random }) => {
    if (!isObject(document)) return;
    const list = document.dependencies ?? document.relationships;
    if (!Array.isArray(list) || list.length === 0) return;
    const [one, other] = [random.pick(list), random.pick(list)];
    if (!isObject(one) || !isObject(other)) return;
    if ('ref' in one)
      list.push({ ref: one.ref ?? '', dependsOn: [other.ref ?? '', one.ref ?? ''] });
    else list.push({ ...one, spdxElementId: one.relatedSpdxElement ?? '' });
  },
};

function atSome(change: (place: Place, mutating: Mutating) => void): StructureOperator {
  return (document, mutating) => {
    const place = somePlace(mutating.random, document);
    if (place !== undefined) change(place, mutating);
  };
}

function putPurl(document: Json, random: Random): void {
  const purl = random.pick(extremes.purls);
  const place = fieldOfSome(random, document, ['purl']);
  if (place === undefined) return;
  if (!isObject(document) || !('packages' in document)) return putAt(place, purl);
  const reference = { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl' };
  putAt({ ...place, key: 'externalRefs' }, [{ ...reference, referenceLocator: purl }]);
}
