import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gauge, type Family, type Sample } from './family';
import type { Mount } from './proc-text';

/** A lost network drive does not respond at all. */
const usualPatienceMs = 2_000;

type StatFs = (path: string) => Promise<StatsFs>;

/**
 * Reads the sizes of mounted file systems; one that cannot be read has `node_filesystem_device_error` 1 and no sizes.
 */
export type ReadFilesystems = (mounts: readonly Mount[]) => Promise<Family[]>;

/**
 * Creates a reader of file systems that resolves within `patienceMs`. A hanging `statfs` occupies one of Node.js's
 * few threads, so a file system is not read again before its last call has returned.
 */
export function filesystemReader(
  statFs: StatFs = statfs,
  patienceMs: number = usualPatienceMs,
): ReadFilesystems {
  const pending = new Map<string, Promise<StatsFs>>();
  const statOnce: StatFs = (path) => {
    const call = pending.get(path) ?? statFs(path).finally(() => pending.delete(path));
    pending.set(path, call);
    return call;
  };
  return async (mounts) => {
    const done = new AbortController();
    const late = delay(patienceMs, undefined, { signal: done.signal }).catch(() => undefined);
    const withTimeout = (path: string) => Promise.race([statOnce(path), late]);
    try {
      return families(await Promise.all(mounts.map((mount) => readOne(mount, withTimeout))));
    } finally {
      done.abort();
    }
  };
}

function families(read: readonly Read[]): Family[] {
  const each = (value: (one: Read) => number | undefined): Sample[] =>
    read.flatMap((one) => {
      const number = value(one);
      const { device, fstype, mountpoint } = one.mount;
      return number === undefined
        ? []
        : [{ labels: { device, fstype, mountpoint }, value: number }];
    });
  const name = (rest: string): string => `node_filesystem_${rest}`;
  return [
    gauge(
      name('size_bytes'),
      'Filesystem size in bytes.',
      each((one) => one.size),
    ),
    gauge(
      name('free_bytes'),
      'Filesystem free space in bytes.',
      each((one) => one.free),
    ),
    gauge(
      name('avail_bytes'),
      'Filesystem space available to non-root users in bytes.',
      each((one) => one.available),
    ),
    gauge(
      name('files'),
      'Filesystem total file nodes.',
      each((one) => one.files),
    ),
    gauge(
      name('files_free'),
      'Filesystem total free file nodes.',
      each((one) => one.filesFree),
    ),
    gauge(
      name('readonly'),
      'Filesystem read-only status.',
      each((one) => Number(one.mount.readonly)),
    ),
    gauge(
      name('device_error'),
      'Whether an error occurred while getting statistics for the given device.',
      each((one) => Number(one.size === undefined)),
    ),
  ];
}

interface Read {
  mount: Mount;
  size?: number;
  free?: number;
  available?: number;
  files?: number;
  filesFree?: number;
}

async function readOne(
  mount: Mount,
  statFs: (path: string) => Promise<StatsFs | undefined>,
): Promise<Read> {
  try {
    const stat = await statFs(mount.mountpoint);
    if (stat === undefined) return { mount };
    const { bsize, blocks, bfree, bavail, files, ffree } = stat;
    return {
      mount,
      size: blocks * bsize,
      free: bfree * bsize,
      available: bavail * bsize,
      files,
      filesFree: ffree,
    };
  } catch {
    return { mount };
  }
}
