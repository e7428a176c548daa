import type { QualityFacts } from './quality/quality-elements';

export type SbomFormat = 'cyclonedx' | 'spdx';

/** A package of a document: `DependencyResponse` of the interface specification. */
export interface Dependency {
  /** Full name in the ecosystem, see docs/validation.md P4. */
  name: string;
  /** `""` when neither the component nor its purl has one. */
  version: string;
  /** As written in the document, even if unreadable. */
  purl: string | null;
  /** CycloneDX: the component's type; SPDX: the primary purpose in lower case. */
  type: string | null;
  /** An SPDX expression if possible, else the licence's name. */
  license: string | null;
  is_direct: boolean;
  /**
   * Source of a distribution package, `name` or `name@version` as in a purl's `upstream`, when the
   * document states it outside the purl. Advisories of Debian, Ubuntu and Alpine name sources.
   */
  source_package?: string;
}

/** Result of a format's reader, unsorted and with duplicates. */
export interface ListedDependencies {
  dependencies: Dependency[];
  /** Every entry of the root. */
  roots: Dependency[];
}

/**
 * Increase it whenever the same bytes may give other dependencies, roots or another digest,
 * or be refused: documents of an older version are then read again on their next upload.
 */
export const SBOM_READING_VERSION = 4;

/** The format-independent content of a document. */
export interface NormalisedSbom {
  format: SbomFormat;
  /** `1.5`, `2.3`: without the format's name. */
  specVersion: string;
  /**
   * CycloneDX `metadata.component.name`, truncated to 255 code points, null when absent or blank;
   * always null for SPDX.
   */
  rootName: string | null;
  /** Unique by purl, name and version; sorted by name, version, purl in code units. */
  dependencies: Dependency[];
  /** Roots whose purl names a package version: scanned, but not dependencies. */
  roots: Dependency[];
  /**
   * Lower-case hex SHA-256 over `dependencies` and `roots`; independent of their order in the
   * document.
   */
  digest: string;
  /** What it states by the minimum elements. */
  quality: QualityFacts;
}

/** Why a document is rejected; codes of the interface specification. */
export type SbomProblemCode =
  | 'malformed_json'
  | 'unsupported_sbom_format'
  | 'unsupported_sbom_version'
  | 'invalid_sbom'
  | 'vex_document'
  | 'too_many_components';

export interface SbomProblem {
  code: SbomProblemCode;
  /** One actionable sentence. */
  detail: string;
}

export type ReadSbomResult = { ok: true; sbom: NormalisedSbom } | ({ ok: false } & SbomProblem);
