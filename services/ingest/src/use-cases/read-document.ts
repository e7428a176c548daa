import { AppError } from '@bomtrail/messages';
import type { ParseOutcome } from '../worker/parse-document';
import type { Workers } from '../worker/worker-pool';

/** A document that was accepted: its format and dependencies. */
export type ReadDocument = Extract<ParseOutcome, { ok: true }>;

/**
 * Validates and reads a document in a worker thread.
 *
 * @param bytes the gzip'd document
 * @throws AppError the validation error of the document, `too_many_components`
 */
export async function readDocument(
  { workers }: { workers: Pick<Workers, 'parse'> },
  document: Parameters<Workers['parse']>[0],
): Promise<ReadDocument> {
  const parsed = await workers.parse(document);
  if (!parsed.ok) throw new AppError(parsed.code, parsed.detail);
  return parsed;
}
