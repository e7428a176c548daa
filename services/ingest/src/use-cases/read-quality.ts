import { AppError, type SbomQuality } from '@bomtrail/messages';
import { QUALITY_VERSION, qualityReport } from '@bomtrail/sbom-formats';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';

export interface ReadQualityDeps {
  documents: Pick<DocumentStore, 'findQuality' | 'readDocument' | 'storeQuality'>;
  workers: Pick<Workers, 'parse'>;
}

/**
 * How complete a stored document is. One that an earlier release stored, or measured by older rules, is read
 * again, and what it states is stored.
 *
 * @returns null if the document is refused by now
 * @throws AppError `sbom_not_found` when the document is missing
 */
export async function readQuality(
  { documents, workers }: ReadQualityDeps,
  sha256: string,
): Promise<SbomQuality | null> {
  const found = await documents.findQuality(sha256);
  if (!found) throw new AppError('sbom_not_found');
  if (found.quality?.version === QUALITY_VERSION) return qualityReport(found.quality);
  const document = await documents.readDocument(sha256);
  if (!document) throw new AppError('sbom_not_found');
  const { bytes, size } = document;
  const parsed = await workers.parse({ bytes, sha256, size, isUpload: false });
  if (!parsed.ok) return null;
  await documents.storeQuality(sha256, parsed.quality);
  return qualityReport(parsed.quality);
}
