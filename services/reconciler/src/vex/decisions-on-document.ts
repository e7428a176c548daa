import { matchVexUnstored } from '@bomtrail/messages';
import { packJson, unpackJson } from '@bomtrail/messaging';
import type { VexInDocument } from '@bomtrail/vex';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { decideByVex } from './domain/decide-by-vex';
import { placedStatements } from './domain/vex-documents';
import { embeddedStatements } from './embedded-vex';
import type { VexService } from './ports';
import { acceptanceOf, type SyncServiceDeps } from './sync-service';

/** A document that is stored nowhere. */
export interface UnstoredDocument {
  /** Gzip'd. */
  bytes: Uint8Array;
  /** Unpacked. */
  size: number;
}

/**
 * The decisions that the VEX documents of a project, and the document itself, would make if it were the newest SBOM of a
 * service. Nothing is stored (CH1).
 *
 * @throws AppError of ingest
 */
export async function decisionsOnDocument(
  { request, vexDocuments }: Omit<SyncServiceDeps, 'vexEvaluations'>,
  service: VexService,
  { bytes, size }: UnstoredDocument,
): Promise<AcceptanceDocument[]> {
  const { project_id } = service;
  const [documents, mode] = await Promise.all([
    vexDocuments.documentsIn(project_id),
    vexDocuments.embeddedIn(project_id),
  ]);
  const statements = placedStatements(documents);
  const embedded = mode === 'apply';
  if (statements.length === 0 && !embedded) return [];
  const products = statements.map(({ statement }) => statement.products);
  const packed = await packJson(JSON.stringify(products));
  const query = { document_bytes: bytes.byteLength, size, embedded };
  const { attachment } = await request(matchVexUnstored, query, [bytes, packed]);
  const found = (await unpackJson(attachment ?? Buffer.alloc(0))) as VexInDocument;
  const own = found.embedded && embeddedStatements(found.embedded, unstored);
  return decideByVex(
    [...statements, ...(own?.statements ?? [])],
    [...found.matches, ...(own?.matches ?? [])],
  ).map((one) => acceptanceOf(one, service));
}

/** As what the statements of the document itself are stored. */
const unstored = { id: 'checked', version: null };
