import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { attachmentBucket, inlineAttachmentLimit } from '@bomtrail/messages';
import type { JetStreamClient } from '@nats-io/jetstream';
import { Objm, StorageType, type ObjectStore } from '@nats-io/obj';

/** Bytes to send beside a message: in memory, or in a file that is read when it is sent. */
export type Attachment = Uint8Array | { file: string; size: number };

/** Bodies that do not fit into one message travel through an object-store bucket with a short life. */
export interface AttachmentStore {
  /** Gives the bytes to put into the message, or the name under which they were left in the bucket. */
  pack(attachment: Attachment): Promise<{ inline: Uint8Array } | { object: string }>;
  /** Fetches what `pack` left and drops it. */
  unpack(object: string): Promise<Uint8Array>;
}

export function createAttachmentStore(jetstream: JetStreamClient): AttachmentStore {
  let opened: Promise<ObjectStore> | null = null;

  /** Opens the bucket again when it is gone, which is so after NATS came back with nothing. */
  async function withStore<Result>(work: (store: ObjectStore) => Promise<Result>): Promise<Result> {
    try {
      return await work(await open());
    } catch {
      opened = null;
      return work(await open());
    }
  }

  function open(): Promise<ObjectStore> {
    opened ??= new Objm(jetstream)
      .create(attachmentBucket.name, {
        ttl: attachmentBucket.ttlMinutes * 60 * 1e9,
        storage: StorageType.File,
      })
      .catch((error: unknown) => {
        opened = null;
        throw error;
      });
    return opened;
  }

  return {
    async pack(attachment) {
      const size = attachment instanceof Uint8Array ? attachment.byteLength : attachment.size;
      if (size <= inlineAttachmentLimit) {
        return {
          inline: attachment instanceof Uint8Array ? attachment : await readFile(attachment.file),
        };
      }
      const name = randomUUID();
      await withStore((store) => {
        if (attachment instanceof Uint8Array) return store.putBlob({ name }, attachment);
        const stream = Readable.toWeb(createReadStream(attachment.file));
        return store.put({ name }, stream as ReadableStream<Uint8Array>);
      });
      return { object: name };
    },

    async unpack(object) {
      return withStore(async (store) => {
        const bytes = await store.getBlob(object);
        if (!bytes) throw new Error(`The attachment ${object} has gone.`);
        await store.delete(object);
        return bytes;
      });
    },
  };
}
