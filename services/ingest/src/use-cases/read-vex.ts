import { createHash } from 'node:crypto';
import { AppError, maxVexBytes, maxVexStatements } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import type {
  EmbeddedVex,
  SbomIdentity,
  StatementMatch,
  VexDocument,
  VexInDocument,
  VexProduct,
} from '@bomtrail/vex';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';
import { findStoredDocument } from './stored-document';

export interface VexDeps {
  documents: Pick<DocumentStore, 'readDocument' | 'sizeOfDocument'>;
  workers: Pick<Workers, 'readVex' | 'matchVex' | 'describeSbom' | 'readEmbeddedVex'>;
}

/**
 * Reads a VEX document in a worker thread.
 *
 * @param packed the document, gzip'd
 * @throws AppError `malformed_body`, `malformed_json`, `unsupported_vex_format`, `invalid_vex`
 */
export async function readVexDocument(
  { workers }: VexDeps,
  packed: Uint8Array | null,
): Promise<{ document: VexDocument; sha256: string }> {
  if (!packed) throw new AppError('malformed_body', 'The request has no document.');
  const limits = { statements: maxVexStatements };
  const result = await workers.readVex({ bytes: packed, maxBytes: maxVexBytes, limits });
  if (!result.ok) throw new AppError(result.code, result.detail);
  const sha256 = createHash('sha256').update(JSON.stringify(result.document)).digest('hex');
  return { document: result.document, sha256 };
}

/**
 * Matches products of VEX statements with a stored SBOM.
 *
 * @param query `products`: by statement, as `packJson` packs them
 * @returns by statement, in order
 * @throws AppError `sbom_not_found`, `malformed_body`
 */
export async function matchVexProducts(
  { documents, workers }: VexDeps,
  { sha256, products }: { sha256: string; products: Uint8Array | null },
): Promise<StatementMatch[]> {
  if (!products) throw new AppError('malformed_body', 'The request has no products.');
  const { size, readBytes } = await findStoredDocument(documents, sha256);
  const wanted = (await unpackJson(products)) as VexProduct[][];
  return workers.matchVex({
    size,
    read: async () => ({ bytes: await readBytes(), products: wanted }),
  });
}

/**
 * Matches products with a document that is stored nowhere, and reads what it says itself if `embedded`.
 *
 * @param attachment the gzip'd document, then the products
 * @throws AppError `malformed_body`
 */
export async function matchVexInDocument(
  { workers }: Pick<VexDeps, 'workers'>,
  given: { document_bytes: number; size: number; embedded: boolean },
  attachment: Uint8Array | null,
): Promise<VexInDocument> {
  if (!attachment) throw new AppError('malformed_body', 'The request has no document.');
  const { document_bytes, size, embedded } = given;
  const bytes = attachment.subarray(0, document_bytes);
  const products = (await unpackJson(attachment.subarray(document_bytes))) as VexProduct[][];
  const limits = { statements: maxVexStatements };
  const [matches, own] = await Promise.all([
    products.length === 0
      ? []
      : workers.matchVex({ size, read: async () => ({ bytes, products }) }),
    embedded ? workers.readEmbeddedVex({ size, read: async () => ({ bytes, limits }) }) : null,
  ]);
  return { matches, embedded: own };
}

/** Reads what a stored SBOM says itself about vulnerabilities. @throws AppError `sbom_not_found` */
export async function readEmbeddedStatements(
  { documents, workers }: VexDeps,
  sha256: string,
): Promise<EmbeddedVex> {
  const { size, readBytes } = await findStoredDocument(documents, sha256);
  return workers.readEmbeddedVex({
    size,
    read: async () => ({ bytes: await readBytes(), limits: { statements: maxVexStatements } }),
  });
}

/** Reads what identifies a stored SBOM. @throws AppError `sbom_not_found` */
export async function describeStoredSbom(
  { documents, workers }: VexDeps,
  sha256: string,
): Promise<SbomIdentity> {
  const { size, readBytes } = await findStoredDocument(documents, sha256);
  return workers.describeSbom({
    size,
    read: async () => ({ bytes: await readBytes() }),
  });
}
