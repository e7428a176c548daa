import type { DecisionKind, Justification } from '@bomtrail/messages';

/** What a decision says about a vulnerability of a product, to be written in any format. */
export interface ExportStatement {
  /** Stable: equal for the same decision about the same vulnerability and product. */
  id: string;
  /** Ids of the vulnerability; the first names it. */
  vulnerability: string[];
  decision: DecisionKind;
  justification: Justification | null;
  /** The reason of the decision, never empty. */
  detail: string;
  /** When it was decided and changed last, ISO 8601, UTC. */
  issued_at: string;
  updated_at: string;
  product: ExportProduct;
  /** Package URLs of the affected packages in the product, with versions; at least one. */
  components: string[];
}

/** The newest SBOM of a service, or one SBOM. */
export interface ExportProduct {
  /** Unique in the document, e.g. the id of the SBOM. */
  id: string;
  name: string;
  version: string | null;
  /** Package URL of the root; null: it has none. */
  purl: string | null;
  /** UUID of the serial number and version of a CycloneDX document; null: it has none. */
  bom: { serial: string; version: number } | null;
}

export interface ExportDocument {
  /** A UUID: equal for the same scope. */
  id: string;
  /** What it is about, e.g. the name of a project. */
  title: string;
  author: string;
  /** A URL of the author, as CSAF demands. */
  namespace: string;
  /** When the first statement was made; that of the document without any. */
  issued_at: string;
  /** When what it says changed last. */
  updated_at: string;
  statements: ExportStatement[];
}

/** In the one order in which documents are written: by vulnerability, product, then id. */
export function inOrder(statements: readonly ExportStatement[]): ExportStatement[] {
  const keyOf = (one: ExportStatement): string =>
    [one.vulnerability[0] ?? '', one.product.name, one.product.id, one.id].join('\n');
  const keyed = statements.map((one) => ({ key: keyOf(one), one }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ one }) => one);
}

/** Grows with `updated_at`: seconds since 1970, so that equal contents have equal versions. */
export function versionOf({ updated_at }: Pick<ExportDocument, 'updated_at'>): number {
  return Math.max(1, Math.floor(Date.parse(updated_at) / 1000));
}

/** How products are named: by purl, else by BOM-Link; null: the product cannot be named. */
export function productId({ purl, bom }: ExportProduct): string | null {
  if (purl !== null) return purl;
  return bom && `urn:cdx:${bom.serial}/${bom.version}`;
}
