import type { VexDocument, VexStatement } from '@bomtrail/vex';

/** A stored document, as far as the rules need it. */
export interface StoredVex {
  /** The id of the record. */
  id: string;
  document: Pick<VexDocument, 'id' | 'version' | 'author' | 'last_updated' | 'statements'>;
  /** When it was imported first. */
  created_at: string;
}

/** A statement with its place. */
export interface PlacedStatement {
  stored: StoredVex;
  index: number;
  statement: VexStatement;
  /** When it was made, else when its document was imported. */
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
      at: statement.timestamp ?? stored.document.last_updated ?? stored.created_at,
      ids: statement.vulnerability.map((id) => id.toUpperCase()),
    })),
  );
}

/** The ids of the vulnerabilities of documents, in upper case. */
export function vulnerabilityIdsOf(statements: readonly VexStatement[]): string[] {
  return [
    ...new Set(
      statements.flatMap(({ vulnerability }) => vulnerability.map((id) => id.toUpperCase())),
    ),
  ];
}
