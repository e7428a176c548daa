export type SbomFormat = 'cyclonedx' | 'spdx';

/** One package that a document lists: exactly the contract's `DependencyResponse`. */
export interface Dependency {
  /** The ecosystem's own full name, see docs/validation.md P4. */
  name: string;
  /** `""` when neither the component nor its purl has one. */
  version: string;
  /** As the document wrote it, also when it cannot be parsed. */
  purl: string | null;
  /** CycloneDX: the component's type; SPDX: the primary purpose in lower case. */
  type: string | null;
  /** An SPDX expression where one can be formed, else the licence's name. */
  license: string | null;
  is_direct: boolean;
  /**
   * What a distribution's package was built from, `name` or `name@version` as in a purl's `upstream`,
   * where the document says it beside the purl. Advisories of Debian, Ubuntu and Alpine name sources.
   */
  source_package?: string;
}

/** What a reader of a format takes from a document, unsorted and with equal entries still apart. */
export interface ListedDependencies {
  dependencies: Dependency[];
  /** Every entry for the root. */
  roots: Dependency[];
}

/**
 * Grows whenever the same bytes may give other dependencies, roots or another digest: a document that was
 * read under an older number is read again when it is uploaded again. Without a number that is 1; since 2
 * the root is judged.
 */
export const SBOM_READING_VERSION = 2;

/** What is left of a document once its format no longer matters. */
export interface NormalisedSbom {
  format: SbomFormat;
  /** `1.5`, `2.3`: without the format's name. */
  specVersion: string;
  /**
   * CycloneDX `metadata.component.name`, cut at 255 code points, null when absent or blank; always
   * null for SPDX.
   */
  rootName: string | null;
  /** Unique by purl, name and version; sorted by name, version, purl in code units. */
  dependencies: Dependency[];
  /** What the document is about, where its purl names a package version: judged, but no dependency. */
  roots: Dependency[];
  /** Lower-case hex SHA-256 over `dependencies` and `roots`; their order in the document does not matter. */
  digest: string;
}

/** Why a document is not accepted; the codes are the contract's. */
export type SbomProblemCode =
  | 'malformed_json'
  | 'unsupported_sbom_format'
  | 'unsupported_sbom_version'
  | 'invalid_sbom'
  | 'too_many_components';

export interface SbomProblem {
  code: SbomProblemCode;
  /** One sentence that a person can act on. */
  detail: string;
}

export type ReadSbomResult = { ok: true; sbom: NormalisedSbom } | ({ ok: false } & SbomProblem);
