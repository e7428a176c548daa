import type { Justification } from '@bomtrail/messages';

/** The formats that are read and written. */
export const VEX_FORMATS = ['openvex', 'cyclonedx', 'csaf'] as const;
export type VexFormat = (typeof VEX_FORMATS)[number];

/** What a statement says; `false_positive` is CycloneDX's own (docs/vex.md). */
export const VEX_STATUSES = [
  'not_affected',
  'affected',
  'fixed',
  'under_investigation',
  'false_positive',
] as const;
export type VexStatus = (typeof VEX_STATUSES)[number];

/** Versions that a document states beside an identifier (docs/rules.md VX4). */
interface Limited {
  /** Package versions of which only these are named. Absent: not limited. Empty: names nothing. */
  versions?: string[];
}

/** How a document names a product or a part of it. */
export type Identifier =
  | ({ kind: 'purl'; value: string } & Limited)
  /** BOM-Link or serial number: a document, with `ref` one component of it. `version` null: any. */
  | ({ kind: 'bom'; serial: string; version: number | null; ref: string | null } & Limited)
  /** Recorded, never matched (docs/rules.md VX4). */
  | { kind: 'cpe' | 'hash' | 'name'; value: string };

export interface VexProduct {
  /** Alternatives; any that matches identifies the product. */
  identifiers: Identifier[];
  /** Parts of the product, each with its alternatives. Empty: the product as a whole. */
  subcomponents: Identifier[][];
  /** Absent in documents, set for matching: a package version is covered if any of its components is (VX7). */
  in_part?: true;
}

export interface VexStatement {
  /** Ids of one vulnerability, as written; the first is its name. */
  vulnerability: string[];
  /** Empty: the statement names none and applies to nothing. */
  products: VexProduct[];
  status: VexStatus;
  justification: Justification | null;
  /** State and justification in the words of the format. */
  written: { state: string; justification: string | null };
  /** Impact, analysis or notes. */
  detail: string | null;
  /** What the user should do. */
  action: string | null;
  /** ISO 8601, UTC; that of the document if the statement has none; null if neither has one. */
  timestamp: string | null;
}

/**
 * The products of a statement as they are matched: one that says “affected” is about a package version as soon as it is
 * about one of its components.
 */
export function productsToMatch({
  products,
  status,
}: Pick<VexStatement, 'products' | 'status'>): VexProduct[] {
  if (status !== 'affected') return products;
  return products.map((product) => ({ ...product, in_part: true as const }));
}

export interface VexDocument {
  format: VexFormat;
  spec_version: string;
  /** Unique among documents; of CSAF with the publisher's namespace. A digest if the document has none. */
  id: string;
  /** As written: a number, or a semantic version (CSAF). */
  version: string;
  author: string;
  /** When it was issued first, ISO 8601, UTC. */
  timestamp: string | null;
  /** When it was changed last. */
  last_updated: string | null;
  statements: VexStatement[];
}

export type VexProblemCode = 'malformed_json' | 'unsupported_vex_format' | 'invalid_vex';

/** Why a document is refused: `detail` is one sentence with the first reason. */
export interface VexProblem {
  code: VexProblemCode;
  detail: string;
}

export type ReadVexResult = { ok: true; document: VexDocument } | ({ ok: false } & VexProblem);
