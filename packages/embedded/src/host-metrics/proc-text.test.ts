import { readDiskstats, readMeminfo, readMounts, readNetDev, readStat } from './proc-text';
import type { Family } from './family';

/** The lines of a metric as `labels value`. */
function linesOf(families: Family[], name: string): string[] {
  const family = families.find((one) => one.name === name);
  return (family?.samples ?? []).map(({ labels = {}, value }) =>
    [...Object.entries(labels).map(([key, text]) => `${key}=${text}`), value].join(' '),
  );
}

test('processors are told one by one, in seconds, without their sum', () => {
  const families = readStat(
    'cpu  300 0 0 0 0 0 0 0 0 0\ncpu0 100 5 20 4000 7 0 3 1 0 0\ncpu1 200 0 0 0 0 0 0 0 0 0\n' +
      'intr 77 1 2\nctxt 99\nbtime 1700000000\nprocesses 12\nprocs_running 2\nprocs_blocked 1\n',
  );
  const seconds = linesOf(families, 'node_cpu_seconds_total');
  expect(seconds).toHaveLength(16);
  expect(seconds.slice(0, 8)).toEqual([
    'cpu=0 mode=user 1',
    'cpu=0 mode=nice 0.05',
    'cpu=0 mode=system 0.2',
    'cpu=0 mode=idle 40',
    'cpu=0 mode=iowait 0.07',
    'cpu=0 mode=irq 0',
    'cpu=0 mode=softirq 0.03',
    'cpu=0 mode=steal 0.01',
  ]);
  expect(linesOf(families, 'node_boot_time_seconds')).toEqual(['1700000000']);
  expect(linesOf(families, 'node_intr_total')).toEqual(['77']);
});

test('memory is in bytes, and what has no unit is a count', () => {
  const families = readMeminfo(
    'MemTotal:       8000 kB\nActive(anon):   2 kB\nHugePages_Total:   3\n',
  );
  expect(families.map(({ name, samples }) => [name, samples[0]?.value])).toEqual([
    ['node_memory_MemTotal_bytes', 8_192_000],
    ['node_memory_Active_anon_bytes', 2048],
    ['node_memory_HugePages_Total', 3],
  ]);
});

test('each network device has both directions', () => {
  const families = readNetDev(
    'Inter-|   Receive  |  Transmit\n face |bytes packets|bytes\n' +
      '    lo: 10 1 0 0 0 0 0 0 20 2 0 0 0 0 0 0\n  eth0:1234 5 6 7 8 9 10 11 4321 15 16 17 18 19 20 21\n',
  );
  expect(linesOf(families, 'node_network_receive_bytes_total')).toEqual([
    'device=lo 10',
    'device=eth0 1234',
  ]);
  expect(linesOf(families, 'node_network_transmit_bytes_total')).toEqual([
    'device=lo 20',
    'device=eth0 4321',
  ]);
  expect(linesOf(families, 'node_network_receive_multicast_total')).toContain('device=eth0 11');
  expect(linesOf(families, 'node_network_transmit_compressed_total')).toContain('device=eth0 21');
});

test('disks count whole, without their partitions', () => {
  const families = readDiskstats(
    '   8 0 sda 1 2 4 1500 5 6 8 2500 3 4000 0 0 0 0 0 0 0\n   8 1 sda1 1 1 1 1 1 1 1 1 1 1 1\n   7 0 loop0 1 1 1 1 1 1 1 1 1 1 1\n',
  );
  expect(linesOf(families, 'node_disk_read_bytes_total')).toEqual(['device=sda 2048']);
  expect(linesOf(families, 'node_disk_written_bytes_total')).toEqual(['device=sda 4096']);
  expect(linesOf(families, 'node_disk_io_time_seconds_total')).toEqual(['device=sda 4']);
});

test('file systems are those that hold files, and the root whatever it is', () => {
  const mounts = readMounts(
    [
      'overlay / overlay rw,relatime 0 0',
      'proc /proc proc rw 0 0',
      'tmpfs /dev/shm tmpfs rw 0 0',
      'overlay /var/lib/docker/overlay2/x/merged overlay rw 0 0',
      '/dev/sdb1 /srv/my\\040data ext4 ro,noatime 0 0',
    ].join('\n'),
  );
  expect(mounts).toEqual([
    { device: 'overlay', mountpoint: '/', fstype: 'overlay', readonly: false },
    { device: '/dev/sdb1', mountpoint: '/srv/my data', fstype: 'ext4', readonly: true },
  ]);
});
