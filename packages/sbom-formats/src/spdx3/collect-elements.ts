import { isJsonObject, type JsonObject } from '../json';
import { typesOf } from './terms';

/** The elements of a document that are read, wherever they stand, in the order of the document. */
export interface Spdx3Elements {
  /** `software_Package` and its subclasses for models and data sets. */
  packages: JsonObject[];
  /** Of every relationship type. */
  relationships: JsonObject[];
  /** `SpdxDocument`, `Bom`, `software_Sbom` and everything else that has a `rootElement`. */
  collections: JsonObject[];
  /** Elements with an id, of other types than files: licences, agents, identifiers. */
  others: JsonObject[];
}

const PACKAGES: ReadonlySet<string> = new Set(['Package', 'AIPackage', 'DatasetPackage']);
const COLLECTIONS: ReadonlySet<string> = new Set(['SpdxDocument', 'Bom', 'Sbom']);
/** Most of a large document; never read. */
const UNREAD: ReadonlySet<string> = new Set(['File', 'Snippet', 'Annotation', 'Hash']);
/** Properties whose values contain no elements that are read. */
const WITHOUT_ELEMENTS: ReadonlySet<string> = new Set([
  '@context',
  'creationInfo',
  'extension',
  'import',
  'namespaceMap',
  'verifiedUsing',
]);

/**
 * Finds elements in `@graph`, in the document itself if it is one element, and inline at any depth.
 * Linear in the document, without recursion. Works on unvalidated documents.
 *
 * @param maxPackages with one package more the search ends, and other elements are missing
 */
export function collectElements(document: JsonObject, maxPackages = Infinity): Spdx3Elements {
  const found: Spdx3Elements = { packages: [], relationships: [], collections: [], others: [] };
  const rest: unknown[] = [document];
  while (rest.length > 0) {
    const value = rest.pop();
    if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at -= 1) pushNested(rest, value[at]);
      continue;
    }
    if (!isJsonObject(value)) continue;
    listFor(found, value)?.push(value);
    if (found.packages.length > maxPackages) return found;
    for (const key of Object.keys(value).reverse())
      if (!WITHOUT_ELEMENTS.has(key)) pushNested(rest, value[key]);
  }
  return found;
}

function pushNested(rest: unknown[], value: unknown): void {
  if (typeof value === 'object' && value !== null) rest.push(value);
}

function listFor(found: Spdx3Elements, element: JsonObject): JsonObject[] | undefined {
  const types = typesOf(element);
  if (types.some((type) => PACKAGES.has(type))) return found.packages;
  if (element.relationshipType !== undefined || types.some((type) => type.endsWith('Relationship')))
    return found.relationships;
  if (element.rootElement !== undefined || types.some((type) => COLLECTIONS.has(type)))
    return found.collections;
  const isNamed = element.spdxId !== undefined || element['@id'] !== undefined;
  return isNamed && !types.some((type) => UNREAD.has(type)) ? found.others : undefined;
}

/** The steps from the document to an element of it, e.g. `['@graph', '12']`; found by its identity. */
export function stepsTo(document: JsonObject, element: JsonObject): string[] {
  interface Place {
    value: unknown;
    step: string;
    above: Place | null;
  }
  const rest: Place[] = [{ value: document, step: '', above: null }];
  for (let place = rest.pop(); place !== undefined; place = rest.pop()) {
    const { value } = place;
    if (value === element) {
      const steps: string[] = [];
      for (let at: Place | null = place; at?.above; at = at.above) steps.push(at.step);
      return steps.reverse();
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [step, below] of Object.entries(value))
      if (typeof below === 'object') rest.push({ value: below, step, above: place });
  }
  return [];
}
