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
      const store = await open();
      if (attachment instanceof Uint8Array) await store.putBlob({ name }, attachment);
      else {
        const stream = Readable.toWeb(createReadStream(attachment.file));
        await store.put({ name }, stream as ReadableStream<Uint8Array>);
      }
      return { object: name };
    },

    async unpack(object) {
      const store = await open();
      const bytes = await store.getBlob(object);
      if (!bytes) throw new Error(`The attachment ${object} has gone.`);
      await store.delete(object);
      return bytes;
    },
  };
}
