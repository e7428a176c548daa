import { defaultStorageBytes } from '@bomtrail/messages';
import { JetStreamApiError } from '@nats-io/jetstream';

/** Smallest size of a stream, in bytes. */
export const leastStorageBytes = 64 * 1024;

/**
 * Codes of a server or account without enough storage for a stream: JSStorageResourcesExceeded, JSAccountResourcesExceeded, JSStreamMaxStreamBytesExceeded.
 */
const outOfStorage: ReadonlySet<number> = new Set([10047, 10002, 10122]);

/** JSClusterNoPeers: no storage, or members are down (transient); the text tells which. */
const noPeers = 10005;

interface Storage {
  readonly storageBytes?: number | undefined;
}

/** Maximum of all streams together, in bytes. */
export function storageOf({ storageBytes }: Storage): number {
  return storageBytes ?? defaultStorageBytes;
}

/**
 * Maximum of one stream, in bytes.
 *
 * @param present its current maximum (not positive: none), kept if `storageBytes` is not set; undefined for a new
 *   stream
 */
export function boundOf(
  { storagePercent }: { storagePercent: number },
  storage: Storage,
  present?: number,
): number {
  if (storage.storageBytes === undefined && present !== undefined && present > 0) return present;
  return Math.floor((storageOf(storage) * storagePercent) / 100);
}

/** True if the server or account lacks storage for a stream. */
export function isOutOfStorage(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false;
  if (error.code === noPeers) return /insufficient storage/.test(error.message);
  return outOfStorage.has(error.code);
}
