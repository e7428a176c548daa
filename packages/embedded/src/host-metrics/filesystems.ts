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
    const readOne = async (mount: Mount): Promise<Read> => {
      const stat = statOnce(mount.mountpoint).catch(() => undefined);
      return { mount, stat: await Promise.race([stat, late]) };
    };
    try {
      return families(await Promise.all(mounts.map(readOne)));
    } finally {
      done.abort();
    }
  };
}

interface Read {
  mount: Mount;
  /** Undefined if it could not be read. */
  stat: StatsFs | undefined;
}

const sizes: readonly [name: string, help: string, value: (stat: StatsFs) => number][] = [
  ['size_bytes', 'Filesystem size in bytes.', ({ blocks, bsize }) => blocks * bsize],
  ['free_bytes', 'Filesystem free space in bytes.', ({ bfree, bsize }) => bfree * bsize],
  [
    'avail_bytes',
    'Filesystem space available to non-root users in bytes.',
    ({ bavail, bsize }) => bavail * bsize,
  ],
  ['files', 'Filesystem total file nodes.', ({ files }) => files],
  ['files_free', 'Filesystem total free file nodes.', ({ ffree }) => ffree],
];

function families(read: readonly Read[]): Family[] {
  const family = (name: string, help: string, value: (one: Read) => number | undefined): Family => {
    const samples = read.flatMap((one): Sample[] => {
      const number = value(one);
      const { device, fstype, mountpoint } = one.mount;
      return number === undefined
        ? []
        : [{ labels: { device, fstype, mountpoint }, value: number }];
    });
    return gauge(`node_filesystem_${name}`, help, samples);
  };
  return [
    ...sizes.map(([name, help, of]) => family(name, help, ({ stat }) => stat && of(stat))),
    family('readonly', 'Filesystem read-only status.', ({ mount }) => Number(mount.readonly)),
    family(
      'device_error',
      'Whether an error occurred while getting statistics for the given device.',
      ({ stat }) => Number(stat === undefined),
    ),
  ];
}
