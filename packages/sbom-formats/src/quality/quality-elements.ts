/**
 * What a component of a document should state, and what the document itself should.
 *
 * Sources. `ntia`: “The Minimum Elements For a Software Bill of Materials (SBOM)”, United States
 * Department of Commerce with NTIA, 12 July 2021, section “Data Fields”: supplier name, component name,
 * version of the component, other unique identifiers, dependency relationship, author of SBOM data,
 * timestamp. `bsi`: BSI TR-03183-2, version 2.1.0, 2025-08-20: section 4 (formats: CycloneDX 1.6, SPDX
 * 3.0.1, or newer), 5.2.1 (of the SBOM: its creator with an email address or URL, timestamp) and 5.2.2 (of
 * each component: its creator likewise, name, version, file name, dependencies, distribution licences,
 * SHA-512 of the deployable component, properties executable, archive and structured). Both lists were
 * compared element by element with quotations of these sections in public repositories; the texts themselves
 * could not be read. Fields that the BSI wants only where they exist (5.2.3: SBOM-URI; 5.2.4: URIs of source
 * and deployable form, other unique identifiers, original licences) are left out: a document does not show
 * whether they do.
 */
export const COMPONENT_ELEMENTS = {
  name: ['ntia', 'bsi'],
  version: ['ntia', 'bsi'],
  supplier: ['ntia'],
  supplier_contact: ['bsi'],
  identifier: ['ntia'],
  dependencies: ['ntia', 'bsi'],
  license: ['bsi'],
  hash: ['bsi'],
  filename: ['bsi'],
  file_properties: ['bsi'],
} as const satisfies Record<string, readonly QualityStandard[]>;

export const DOCUMENT_ELEMENTS = {
  author: ['ntia'],
  author_contact: ['bsi'],
  timestamp: ['ntia', 'bsi'],
  spec_version: ['bsi'],
} as const satisfies Record<string, readonly QualityStandard[]>;

export type QualityStandard = 'ntia' | 'bsi';
export type ComponentElement = keyof typeof COMPONENT_ELEMENTS;
export type DocumentElement = keyof typeof DOCUMENT_ELEMENTS;

/** Increase it whenever the same document may give other facts. */
export const QUALITY_VERSION = 1;

/** What a document states, counted; the score follows from it. */
export interface QualityFacts {
  version: number;
  /** Components as the document lists them, the root included. */
  components: number;
  /** Of these, those that state an element. */
  stated: Record<ComponentElement, number>;
  /** Elements that the document states of itself. */
  document: DocumentElement[];
}

/** Whether an element is stated; absent: no. */
export type Stated<Element extends string> = Partial<Record<Element, boolean>>;

/**
 * Counts what components and their document state. `components` is a list, not a generator: V8 keeps
 * generators in old space, and one that reads from a document keeps that in memory until the next full
 * collection (docs/performance.md).
 */
export function countFacts(
  components: readonly Stated<ComponentElement>[],
  document: Stated<DocumentElement>,
): QualityFacts {
  const elements = Object.keys(COMPONENT_ELEMENTS) as ComponentElement[];
  const stated = Object.fromEntries(elements.map((element) => [element, 0]));
  let count = 0;
  for (const component of components) {
    count += 1;
    for (const element of elements)
      if (component[element] === true) stated[element] = (stated[element] ?? 0) + 1;
  }
  return {
    version: QUALITY_VERSION,
    components: count,
    stated: stated as QualityFacts['stated'],
    document: (Object.keys(DOCUMENT_ELEMENTS) as DocumentElement[]).filter(
      (element) => document[element] === true,
    ),
  };
}
