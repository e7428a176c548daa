import { statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { gauge, type Family, type Sample } from './family';
import type { Mount } from './proc-text';

/** A network drive that has gone does not answer at all. */
const patienceMs = 2_000;

/** Sizes of the mounted file systems; one that cannot be read has `node_filesystem_device_error` 1 and no sizes. */
export async function readFilesystems(mounts: readonly Mount[]): Promise<Family[]> {
  const read = await Promise.all(mounts.map((mount) => readOne(mount)));
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

async function readOne(mount: Mount): Promise<Read> {
  try {
    const late = setTimeout(patienceMs, undefined, { ref: false });
    const stat = await Promise.race([statfs(mount.mountpoint), late]);
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
