import { matchVex, matchVexUnstored } from '@bomtrail/messages';
import { packJson, unpackJson, type Request } from '@bomtrail/messaging';
import { productsToMatch, type StatementMatch, type VexInDocument } from '@bomtrail/vex';
import {
  joined,
  type MatchedStatements,
  placedStatements,
  type PlacedStatement,
  type StoredVex,
} from './domain/vex-documents';
import { encodeResults } from './domain/statement-results';
import { embeddedStatements, readEmbedded } from './embedded-vex';
import type { VexDocumentStore } from './ports';
import { readStored } from './read-stored';
import type { Service } from '../tracking/domain/types';

export interface MatchSbomDeps {
  request: Request;
  vexDocuments: VexDocumentStore;
}

/** What VEX documents and an SBOM itself say about it. */
export interface MatchedSbom {
  /** What decides. */
  applied: MatchedStatements;
  /** What is only shown; null: nothing is. */
  suggested: MatchedStatements | null;
  /** Encoded results of the documents, by record. */
  results: Record<string, string>;
}

/** A document that is stored nowhere. */
export interface UnstoredDocument {
  /** Gzip'd. */
  bytes: Uint8Array;
  /** Unpacked. */
  size: number;
}

const none: MatchedStatements = { statements: [], matches: [] };
/** As what the statements of an unstored document are placed. */
const unstored = { id: 'checked', version: null };

/**
 * Matches an SBOM with the documents that apply in its project, and reads its own statements. Null: it was deleted.
 * Without its document, which retention dropped, nothing decides about it.
 *
 * @throws AppError of ingest and catalog
 */
export async function matchSbom(
  deps: MatchSbomDeps,
  { project_id }: Service,
  sbomId: string,
): Promise<MatchedSbom | null> {
  const documents = await deps.vexDocuments.documentsIn(project_id);
  const statements = placedStatements(documents);
  const matches = await matchesIn(deps, sbomId, statements);
  const mode = await deps.vexDocuments.embeddedIn(project_id);
  const embedded = mode === 'off' ? none : await readEmbedded(deps, sbomId);
  if (matches === null || embedded === null) return null;
  return {
    applied: joined({ statements, matches }, mode === 'apply' ? embedded : none),
    suggested: mode === 'suggest' ? embedded : null,
    results: resultsOf(documents, statements, matches),
  };
}

/** What decides about a document that is stored nowhere. @throws AppError of ingest */
export async function matchDocument(
  { request, vexDocuments }: MatchSbomDeps,
  { project_id }: Service,
  { bytes, size }: UnstoredDocument,
): Promise<MatchedStatements> {
  const [documents, mode] = await Promise.all([
    vexDocuments.documentsIn(project_id),
    vexDocuments.embeddedIn(project_id),
  ]);
  const statements = placedStatements(documents);
  const embedded = mode === 'apply';
  if (statements.length === 0 && !embedded) return none;
  const query = { document_bytes: bytes.byteLength, size, embedded };
  const sent = [bytes, await packedProducts(statements)];
  const { attachment } = await request(matchVexUnstored, query, sent);
  const found = (await unpackJson(attachment ?? Buffer.alloc(0))) as VexInDocument;
  const { matches } = found;
  const own = found.embedded ? embeddedStatements(found.embedded, unstored) : none;
  return joined({ statements, matches }, own);
}

/** Null: the SBOM was deleted. */
async function matchesIn(
  { request }: Pick<MatchSbomDeps, 'request'>,
  sbomId: string,
  statements: readonly PlacedStatement[],
): Promise<StatementMatch[] | null> {
  if (statements.length === 0) return [];
  return readStored({ request }, sbomId, {
    async read({ sha256 }) {
      const { attachment } = await request(matchVex, { sha256 }, await packedProducts(statements));
      return (await unpackJson(attachment ?? Buffer.alloc(0))) as StatementMatch[];
    },
    expired: statements.map(() => ({ fits: false, reason: 'not_evaluated' })),
  });
}

function packedProducts(statements: readonly PlacedStatement[]): Promise<Uint8Array> {
  return packJson(JSON.stringify(statements.map(({ statement }) => productsToMatch(statement))));
}

function resultsOf(
  documents: readonly StoredVex[],
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
): Record<string, string> {
  return Object.fromEntries(
    documents.map((stored) => {
      const own = matches.filter((_match, index) => statements[index]?.stored === stored);
      return [stored.id, encodeResults(own)];
    }),
  );
}
