import * as extremes from './extremes';
import {
  fieldOfSome,
  isObject,
  setAt,
  someLocation,
  valueAt,
  type Json,
  type Location,
} from './locations';
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
  drop: atSome(({ container, key }) => {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete container[key];
  }),
  duplicate: atSome((location, { random }) => {
    const { container, key } = location;
    const copy = structuredClone(valueAt(location));
    if (Array.isArray(container)) container.splice(random.below(container.length + 1), 0, copy);
    else setAt({ container, key: `${key}2` }, copy);
  }),
  multiply: atSome(({ container, key }) => {
    if (Array.isArray(container)) {
      const copies = Array.from({ length: manyCopies }, () => container[Number(key)] ?? null);
      container.push(...copies);
    }
  }),
  swap: (document, { random }) => {
    const [one, other] = [someLocation(random, document), someLocation(random, document)];
    if (one === undefined || other === undefined) return;
    const [first, second] = [structuredClone(valueAt(one)), structuredClone(valueAt(other))];
    setAt(one, second);
    setAt(other, first);
  },
  rename: atSome((location, { random, donor }) => {
    const { container } = location;
    const named = someLocation(random, donor)?.key ?? random.pick(extremes.texts);
    if (!Array.isArray(container)) setAt({ container, key: String(named) }, valueAt(location));
  }),
  'other type': atSome((location, { random }) => setAt(location, random.pick(extremes.kinds))),
  splice: atSome((location, { random, donor }) => {
    const taken = someLocation(random, donor);
    if (taken !== undefined) setAt(location, structuredClone(valueAt(taken)));
  }),
  'other format': (document, { donor }) => {
    if (!isObject(document) || !isObject(donor)) return;
    for (const [key, value] of Object.entries(structuredClone(donor))) {
      if (!Object.hasOwn(document, key)) setAt({ container: document, key }, value);
    }
  },
  text: atSome((location, { random }) => setAt(location, random.pick(extremes.texts))),
  date: atSome((location, { random }) => setAt(location, random.pick(extremes.dates))),
  number: atSome((location, { random }) =>
    setAt(location, `${numberMark}${random.pick(extremes.numbers)}`),
  ),
  'deep nest': atSome((location, { random }) => {
    let nest: Json = valueAt(location);
    for (let depth = random.below(maxDepth); depth > 0; depth -= 1) {
      nest = depth % 2 === 0 ? [nest] : { components: nest };
    }
    setAt(location, nest);
  }),
  identity: (document, { random }) => {
    const location = fieldOfSome(random, document, identityFields);
    if (location) setAt(location, random.pick([...extremes.texts, ...extremes.versions]));
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

function atSome(change: (location: Location, mutating: Mutating) => void): StructureOperator {
  return (document, mutating) => {
    const location = someLocation(mutating.random, document);
    if (location !== undefined) change(location, mutating);
  };
}

function putPurl(document: Json, random: Random): void {
  const purl = random.pick(extremes.purls);
  const location = fieldOfSome(random, document, ['purl']);
  if (location === undefined) return;
  if (!isObject(document) || !('packages' in document)) return setAt(location, purl);
  const reference = { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl' };
  setAt({ ...location, key: 'externalRefs' }, [{ ...reference, referenceLocator: purl }]);
}
