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
import { createKeyedMutex } from '../work/keyed-mutex';
import { decodeFrame, encodeFrame, type Frame } from './frame';
import { nanosPerSecond } from './time';

/** Bytes to send beside a message: in memory, or in a file that is read when it is sent. */
export type Attachment = Uint8Array | { file: string; size: number };

/**
 * Bodies that do not fit into one message travel through an object-store bucket with a short life.
 * A process sends one large body at a time and fetches one at a time: the server pushes up to 32 MiB
 * of an object ahead, and cuts a connection that has 64 MiB pending, with all that runs over it.
 */
export interface Bodies {
  /** Gives the bytes to send; a large body is left in the bucket, under a name that the headers carry. */
  pack(json: unknown, attachment: Attachment | null, headers: MsgHdrs): Promise<Uint8Array>;
  /**
   * Reads what `pack` made, and drops it from the bucket.
   *
   * @throws AppError `service_unavailable` when it has gone from the bucket; Error when it is no body
   */
  unpack(message: Pick<Msg, 'data' | 'headers'>): Promise<Frame>;
}

const objectHeader = 'Bomtrail-Object';

/** What a bucket that is not there yet is made with. */
interface BucketCare {
  /** On how many servers it is kept; undefined: on one. */
  readonly replicas?: number | undefined;
  /** Bytes of all streams together, of which it has its share. */
  readonly storageBytes?: number | undefined;
  /** Hear what came of putting a body into it. */
  readonly onStored?: () => void;
  readonly onRefused?: (error: unknown) => void;
}

export function createBodies(jetstream: JetStreamClient, care: BucketCare = {}): Bodies {
  let opened: Promise<ObjectStore> | null = null;
  const withKey = createKeyedMutex();

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
    opened ??= create(boundOf(attachmentBucket, care)).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  /** A server that has less storage than that has a smaller one. */
  async function create(max_bytes: number): Promise<ObjectStore> {
    const { replicas } = care;
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
        return attachment ? Buffer.concat([head, await bytesOf(attachment)]) : head;
      }
      const name = randomUUID();
      try {
        await withKey('put', () =>
          withStore((store) => store.put({ name }, streamOf(head, attachment))),
        );
      } catch (error) {
        care.onRefused?.(error);
        throw error;
      }
      care.onStored?.();
      headers.set(objectHeader, name);
      return new Uint8Array();
    },

    async unpack(message) {
      const name = message.headers?.get(objectHeader);
      if (!name) return decodeFrame(message.data);
      const bytes = await withKey('get', () => withStore((store) => readObject(store, name)));
      if (!bytes) {
        throw new AppError('service_unavailable', 'A large body was lost: repeat the request.');
      }
      // What a failed delete leaves behind goes with the bucket's short life.
      await withStore((store) => store.delete(name)).catch(() => undefined);
      return decodeFrame(bytes);
    },
  };
}

function sizeOf(attachment: Attachment | null): number {
  if (!attachment) return 0;
  return attachment instanceof Uint8Array ? attachment.byteLength : attachment.size;
}

async function bytesOf(attachment: Attachment): Promise<Uint8Array> {
  return attachment instanceof Uint8Array ? attachment : readFile(attachment.file);
}

function streamOf(head: Uint8Array, attachment: Attachment | null): ReadableStream<Uint8Array> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield head;
    if (attachment instanceof Uint8Array) yield attachment;
    else if (attachment) yield* createReadStream(attachment.file) as AsyncIterable<Uint8Array>;
  }
  return Readable.toWeb(Readable.from(pieces())) as ReadableStream<Uint8Array>;
}
