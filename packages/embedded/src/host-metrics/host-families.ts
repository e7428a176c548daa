import { readFileSync } from 'node:fs';
import {
  cpus,
  freemem,
  hostname,
  loadavg,
  machine,
  release,
  totalmem,
  type,
  version,
} from 'node:os';
import { counter, gauge, type Family } from './family';
import { filesystemReader, type ReadFilesystems } from './filesystems';
import { readDiskstats, readMeminfo, readMounts, readNetDev, readStat } from './proc-text';

/** A collector, named as in node_exporter. */
export type Collectors = Record<string, () => Promise<Family[]>>;

/**
 * Returns the collectors of this platform: on Linux from `/proc`, elsewhere from Node.js (without network and disks).
 * Names, labels and units are those of node_exporter 1.9.
 */
export function hostCollectors(platform: NodeJS.Platform = process.platform): Collectors {
  const everywhere: Collectors = {
    loadavg: async () => loads(),
    time: async () => [
      gauge('node_time_seconds', 'System time in seconds since epoch (1970).', [
        { value: Date.now() / 1000 },
      ]),
    ],
    uname: async () => [uname()],
  };
  const readFilesystems = filesystemReader();
  if (platform !== 'linux') return { ...portable(readFilesystems), ...everywhere };
  // Served by the kernel from memory; in a thread these reads would wait behind lost drives.
  const textOf = (file: string): string => readFileSync(`/proc/${file}`, 'utf8');
  const from = (file: string, read: (text: string) => Family[]) => async (): Promise<Family[]> =>
    read(textOf(file));
  return {
    ...everywhere,
    stat: from('stat', readStat),
    meminfo: from('meminfo', readMeminfo),
    netdev: from('net/dev', readNetDev),
    diskstats: from('diskstats', readDiskstats),
    filesystem: async () => readFilesystems(readMounts(textOf('self/mounts'))),
  };
}

function portable(readFilesystems: ReadFilesystems): Collectors {
  return {
    cpu: async () => [
      counter(
        'node_cpu_seconds_total',
        'Seconds the CPUs spent in each mode.',
        cpus().flatMap(({ times }, index) =>
          Object.entries({ ...times, system: times.sys, sys: undefined }).flatMap(([mode, ms]) =>
            ms === undefined ? [] : [{ labels: { cpu: String(index), mode }, value: ms / 1000 }],
          ),
        ),
      ),
    ],
    meminfo: async () => [
      gauge('node_memory_MemTotal_bytes', 'Memory information field MemTotal_bytes.', [
        { value: totalmem() },
      ]),
      gauge('node_memory_MemFree_bytes', 'Memory information field MemFree_bytes.', [
        { value: freemem() },
      ]),
    ],
    filesystem: () =>
      readFilesystems([{ device: 'root', mountpoint: '/', fstype: 'unknown', readonly: false }]),
  };
}

function loads(): Family[] {
  return loadavg().map((value, index) => {
    const minutes = [1, 5, 15][index];
    return gauge(`node_load${minutes}`, `${minutes}m load average.`, [{ value }]);
  });
}

function uname(): Family {
  const labels = {
    sysname: type(),
    release: release(),
    version: version(),
    machine: machine(),
    nodename: hostname(),
  };
  return gauge(
    'node_uname_info',
    'Labeled system information as provided by the uname system call.',
    [{ labels, value: 1 }],
  );
}
