import { defaultStorageBytes } from '@bomtrail/messages';
import { JetStreamApiError } from '@nats-io/jetstream';

/** Below this nothing is tried: a stream of a few kilobytes is of no use. */
export const leastStorageBytes = 64 * 1024;

/**
 * Codes of a server, or of an account, that has not the storage which a stream is to reserve:
 * JSStorageResourcesExceeded, JSAccountResourcesExceeded, JSStreamMaxStreamBytesExceeded.
 */
const outOfStorage: ReadonlySet<number> = new Set([10047, 10002, 10122]);

/** JSClusterNoPeers: also where servers are away, which passes; its text tells the two apart. */
const noPeers = 10005;

interface Storage {
  readonly storageBytes?: number | undefined;
}

/** Bytes that all streams may take together. */
export function storageOf({ storageBytes }: Storage): number {
  return storageBytes ?? defaultStorageBytes;
}

/**
 * The bytes of one stream.
 *
 * @param present its bound now; undefined where it is not there, not positive where it has none. It stays where no
 *   setting speaks
 */
export function boundOf(
  { storagePercent }: { storagePercent: number },
  storage: Storage,
  present?: number,
): number {
  if (storage.storageBytes === undefined && present !== undefined && present > 0) return present;
  return Math.floor((storageOf(storage) * storagePercent) / 100);
}

/** Has the server, or the account, not the storage that a stream is to reserve? */
export function isOutOfStorage(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false;
  if (error.code === noPeers) return /insufficient storage/.test(error.message);
  return outOfStorage.has(error.code);
}
