import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError, attachmentBucket, inlineBodyLimit } from '@bomtrail/messages';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { Objm, StorageType, type ObjectStore } from '@nats-io/obj';
import { readObject } from './read-object';
import { boundOf, isOutOfStorage, leastStorageBytes } from './stream-storage';
import { createKeyedMutex } from '@bomtrail/concurrency';
import { decodeFrame, encodeFrame, type Frame } from './frame';
import { nanosPerSecond } from './time';

/** Bytes in memory, or in a file that is read on sending. */
type Part = Uint8Array | { file: string; size: number };
/** Bytes sent with a message; several parts are sent one after the other. */
export type Attachment = Part | readonly Part[];

/**
 * Packs message bodies. Bodies above `inlineBodyLimit` travel through an object-store bucket with a short TTL.
 * A process puts and gets one large body at a time: the server sends up to 32 MiB of an object ahead and
 * closes a connection with 64 MiB pending.
 */
export interface Bodies {
  /** Returns the bytes to send. A large body goes to the bucket; `headers` then name its object. */
  pack(json: unknown, attachment: Attachment | null, headers: MsgHdrs): Promise<Uint8Array>;
  /**
   * Reads a body made by `pack` and deletes its object from the bucket.
   *
   * @throws AppError `service_unavailable` if the object is gone; Error if the bytes are no valid body
   */
  unpack(message: Pick<Msg, 'data' | 'headers'>): Promise<Frame>;
}

const objectHeader = 'Bomtrail-Object';

/** Options for creating and using the bucket. */
interface BucketOptions {
  /** Replicas of the bucket; undefined: one. */
  readonly replicas?: number | undefined;
  /** Bytes of all streams together; the bucket takes its share. */
  readonly storageBytes?: number | undefined;
  /** Called after each attempt to store a body. */
  readonly onStored?: () => void;
  readonly onRefused?: (error: unknown) => void;
}

export function createBodies(jetstream: JetStreamClient, options: BucketOptions = {}): Bodies {
  let opened: Promise<ObjectStore> | null = null;
  const withKey = createKeyedMutex();

  /** Reopens the bucket if the work fails: NATS may have restarted without its data. */
  async function withStore<Result>(work: (store: ObjectStore) => Promise<Result>): Promise<Result> {
    try {
      return await work(await open());
    } catch {
      opened = null;
      return work(await open());
    }
  }

  function open(): Promise<ObjectStore> {
    opened ??= create(boundOf(attachmentBucket, options)).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  /** Halves the size until the server has room for it. */
  async function create(max_bytes: number): Promise<ObjectStore> {
    const { replicas } = options;
    try {
      return await new Objm(jetstream).create(attachmentBucket.name, {
        ttl: attachmentBucket.ttlMinutes * 60 * nanosPerSecond,
        storage: StorageType.File,
        max_bytes,
        ...(replicas === undefined ? {} : { replicas }),
      });
    } catch (error) {
      if (!isOutOfStorage(error) || max_bytes <= leastStorageBytes) throw error;
      return create(Math.floor(max_bytes / 2));
    }
  }

  return {
    async pack(json, attachment, headers) {
      const head = encodeFrame({ json, attachment: null });
      if (head.byteLength + sizeOf(attachment) <= inlineBodyLimit) {
        return attachment ? Buffer.concat([head, ...(await bytesOf(attachment))]) : head;
      }
      const name = randomUUID();
      try {
        await withKey('put', () =>
          withStore((store) => store.put({ name }, streamOf(head, attachment))),
        );
      } catch (error) {
        options.onRefused?.(error);
        throw error;
      }
      options.onStored?.();
      headers.set(objectHeader, name);
      return new Uint8Array();
    },

    async unpack(message) {
      const name = message.headers?.get(objectHeader);
      if (!name) return decodeFrame(message.data);
      const bytes = await withKey('get', () => withStore((store) => readObject(store, name)));
      if (!bytes) {
        throw new AppError(
          'service_unavailable',
          'A large message body was lost: repeat the request.',
        );
      }
      // The TTL of the bucket removes what a failed delete leaves behind.
      await withStore((store) => store.delete(name)).catch(() => undefined);
      return decodeFrame(bytes);
    },
  };
}

function partsOf(attachment: Attachment | null): readonly Part[] {
  if (!attachment) return [];
  return Array.isArray(attachment) ? (attachment as readonly Part[]) : [attachment as Part];
}

function sizeOf(attachment: Attachment | null): number {
  const sizes = partsOf(attachment).map((part) =>
    part instanceof Uint8Array ? part.byteLength : part.size,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bytesOf(attachment: Attachment): Promise<Uint8Array[]> {
  return Promise.all(
    partsOf(attachment).map(async (part) =>
      part instanceof Uint8Array ? part : readFile(part.file),
    ),
  );
}

function streamOf(head: Uint8Array, attachment: Attachment | null): ReadableStream<Uint8Array> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield head;
    for (const part of partsOf(attachment)) {
      if (part instanceof Uint8Array) yield part;
      else yield* createReadStream(part.file) as AsyncIterable<Uint8Array>;
    }
  }
  return Readable.toWeb(Readable.from(pieces())) as ReadableStream<Uint8Array>;
}
