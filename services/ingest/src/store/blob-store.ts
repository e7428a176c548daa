import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { GridFSBucket, type Db, type ObjectId } from 'mongodb';

/** Where the bytes of a document are stored: inline or in GridFS. */
export type StoredBlob = { bytes: Uint8Array } | { file_id: ObjectId };

/** Larger blobs go to GridFS; MongoDB's document limit is 16 MiB. */
const inlineLimit = 12 * 1024 * 1024;

export type BlobStore = ReturnType<typeof createBlobStore>;

/** Stores bytes of any size; the referring document is written afterwards. */
export function createBlobStore(db: Db) {
  const bucket = new GridFSBucket(db, { bucketName: 'blobs' });
  return {
    async put(bytes: Uint8Array): Promise<StoredBlob> {
      if (bytes.byteLength <= inlineLimit) return { bytes };
      const upload = bucket.openUploadStream('blob');
      await pipeline(Readable.from([bytes]), upload);
      return { file_id: upload.id };
    },

    async get(blob: StoredBlob): Promise<Uint8Array> {
      if ('bytes' in blob) return blob.bytes;
      const chunks: Buffer[] = [];
      for await (const chunk of bucket.openDownloadStream(blob.file_id))
        chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },

    async drop(blob: StoredBlob): Promise<void> {
      if ('file_id' in blob) await bucket.delete(blob.file_id);
    },
  };
}
