import type { StatementMatch, VexDocument, VexStatement } from '@bomtrail/vex';

/** A stored document, as far as the rules need it. */
export interface StoredVex {
  /** The id of the record; of what an SBOM says itself `embeddedId`. */
  id: string;
  document: Pick<VexDocument, 'id' | 'version' | 'author' | 'last_updated' | 'statements'>;
  /** When it was imported first. */
  created_at: string;
  /** When this version of it was imported. */
  updated_at: string;
}

const embedded = 'sbom:';

/** What an SBOM says itself is stored nowhere; this names it among the documents. */
export function embeddedId(sbomId: string): string {
  return `${embedded}${sbomId}`;
}

export function isEmbedded(id: string): boolean {
  return id.startsWith(embedded);
}

/** A statement with its place. */
export interface PlacedStatement {
  stored: StoredVex;
  index: number;
  statement: VexStatement;
  /** When it was made, else when its document was imported; at most a day after its version was imported. */
  at: string;
  /** The ids of its vulnerability in upper case. */
  ids: string[];
}

/** The statements of all documents, in the order of the documents. */
export function placedStatements(documents: readonly StoredVex[]): PlacedStatement[] {
  return documents.flatMap((stored) =>
    stored.document.statements.map((statement, index) => ({
      stored,
      index,
      statement,
      at: notAhead(
        statement.timestamp ?? stored.document.last_updated ?? stored.created_at,
        stored.updated_at,
      ),
      ids: statement.vulnerability.map((id) => id.toUpperCase()),
    })),
  );
}

/** More than time zones and clocks explain. */
const dayMs = 24 * 3_600_000;

/** A time in the future is wrong: it would outlast every correction until then. */
function notAhead(at: string, imported: string): string {
  return Date.parse(at) > Date.parse(imported) + dayMs ? imported : at;
}

/** The ids of the vulnerabilities of documents, in upper case. */
export function vulnerabilityIdsOf(statements: readonly VexStatement[]): string[] {
  return [
    ...new Set(
      statements.flatMap(({ vulnerability }) => vulnerability.map((id) => id.toUpperCase())),
    ),
  ];
}

/** Statements with what each covers in an SBOM, in order. */
export interface MatchedStatements {
  statements: PlacedStatement[];
  matches: StatementMatch[];
}

/** Several lists as one. */
export function joined(...lists: readonly MatchedStatements[]): MatchedStatements {
  return {
    statements: lists.flatMap(({ statements }) => statements),
    matches: lists.flatMap(({ matches }) => matches),
  };
}
