import { AppError } from '@bomtrail/messages';
import type { DocumentStore } from '../store/document-store';

/** A stored document whose bytes are read when they are needed. */
export interface StoredDocument {
  /** Bytes, unpacked. */
  size: number;
  /** The document, gzip'd. @throws AppError `sbom_not_found` if it was deleted since */
  readBytes(): Promise<Uint8Array>;
}

/** @throws AppError `sbom_not_found` */
export async function findStoredDocument(
  documents: Pick<DocumentStore, 'readDocument' | 'sizeOfDocument'>,
  sha256: string,
): Promise<StoredDocument> {
  const size = await documents.sizeOfDocument(sha256);
  if (size === null) throw new AppError('sbom_not_found');
  return {
    size,
    async readBytes() {
      const document = await documents.readDocument(sha256);
      if (!document) throw new AppError('sbom_not_found');
      return document.bytes;
    },
  };
}
