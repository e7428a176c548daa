import type { Attachment } from '@bomtrail/messaging';

/** A received file. */
export interface ReceivedFile {
  /** Size of the unpacked bytes. */
  readonly size: number;
  /** SHA-256 of the unpacked bytes, lower-case hex. */
  readonly sha256: string;
  /** The gzip'd file, from memory or disk. */
  packed(): Promise<Attachment>;
  /** Releases memory and disk. Idempotent. */
  dispose(): Promise<void>;
}

export interface ReceiveFileOptions {
  /** Folder for large files. */
  directory: string;
  /** Maximum unpacked size. */
  maxBytes: number;
  /** Reports that the folder takes no file, e.g. because its disk is full. */
  onDiskError: (error: NodeJS.ErrnoException) => void;
  /** Whether ingest probably has the document, so that it is compressed only on demand. */
  isKnown: (sha256: string) => boolean;
}

/**
 * Ingest stores this form: the fastest level takes a sixth of the default's time and a fifth more
 * space.
 */
export const gzipLevel = 1;
/** Chunk size of gzip. */
export const gzipChunkSize = 64 * 1024;
