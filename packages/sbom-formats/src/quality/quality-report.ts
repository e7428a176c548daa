import {
  COMPONENT_ELEMENTS,
  DOCUMENT_ELEMENTS,
  type ComponentElement,
  type DocumentElement,
  type QualityFacts,
  type QualityStandard,
} from './quality-elements';

/** One element of a report. Field names are those of the contract. */
export interface QualityElement {
  element: ComponentElement | DocumentElement;
  required_by: QualityStandard[];
  /** Components that state it, or 1 if the document does. */
  present: number;
  /** Components; 1 for an element of the document. */
  total: number;
  /** What is missing, one sentence; null: nothing. */
  reason: string | null;
}

/** How complete a document is. */
export interface QualityReport {
  /** 0 to 100: over all elements. */
  score: number;
  ntia_score: number;
  bsi_score: number;
  /** As the document lists them, the root included. */
  components: number;
  elements: QualityElement[];
}

/** Nouns of reasons: `12 of 312 components state no …`. */
const COMPONENT_NOUNS: Record<ComponentElement, string> = {
  name: 'name',
  version: 'version',
  supplier: 'supplier or other creator',
  supplier_contact: 'email address or URL of their creator',
  identifier: 'unique identifier, such as a purl or CPE',
  dependencies: 'dependency relationship',
  license: 'licence',
  hash: 'SHA-512 hash',
  filename: 'file name',
  file_properties: 'properties executable, archive and structured',
};

const DOCUMENT_REASONS: Record<DocumentElement, string> = {
  author: 'The document names no person or organisation as its author.',
  author_contact: 'The document states no email address or URL of its author.',
  timestamp: 'The document does not state when it was made.',
  spec_version: 'The format is older than CycloneDX 1.6 or SPDX 3.0.1.',
};

/**
 * docs/rules.md Q1 to Q3. The score is the mean of the elements' shares, rounded down, so that 100 means that
 * nothing is missing.
 */
export function qualityReport(facts: QualityFacts): QualityReport {
  const elements = [...componentElements(facts), ...documentElements(facts)];
  const scoreOf = (standard: QualityStandard): number =>
    score(elements.filter(({ required_by }) => required_by.includes(standard)));
  return {
    score: score(elements),
    ntia_score: scoreOf('ntia'),
    bsi_score: scoreOf('bsi'),
    components: facts.components,
    elements,
  };
}

function componentElements({ components, stated }: QualityFacts): QualityElement[] {
  return (Object.keys(COMPONENT_ELEMENTS) as ComponentElement[]).map((element) => {
    const missing = components - stated[element];
    const noun = components === 1 ? 'component' : 'components';
    const verb = missing === 1 ? 'states' : 'state';
    const reason = `${missing} of ${components} ${noun} ${verb} no ${COMPONENT_NOUNS[element]}.`;
    return {
      element,
      required_by: [...COMPONENT_ELEMENTS[element]],
      present: stated[element],
      total: components,
      reason: components === 0 ? 'The document has no components.' : missing === 0 ? null : reason,
    };
  });
}

function documentElements({ document }: QualityFacts): QualityElement[] {
  return (Object.keys(DOCUMENT_ELEMENTS) as DocumentElement[]).map((element) => {
    const isStated = document.includes(element);
    return {
      element,
      required_by: [...DOCUMENT_ELEMENTS[element]],
      present: isStated ? 1 : 0,
      total: 1,
      reason: isStated ? null : DOCUMENT_REASONS[element],
    };
  });
}

/** 100 only if nothing is missing; the small summand mends rounding errors of the mean. */
function score(elements: readonly QualityElement[]): number {
  if (elements.every(({ reason }) => reason === null)) return 100;
  const shares = elements.map(({ present, total }) => (total === 0 ? 0 : present / total));
  const mean = shares.reduce((sum, share) => sum + share, 0) / elements.length;
  return Math.min(99, Math.floor(mean * 100 + 1e-9));
}
