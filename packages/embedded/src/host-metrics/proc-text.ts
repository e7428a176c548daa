import { counter, gauge, type Family, type Sample } from './family';

/** A clock tick of the kernel's statistics (USER_HZ) is a hundredth of a second on every platform. */
const ticksPerSecond = 100;
const cpuModes = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];
const sectorBytes = 512;

/** `/proc/stat`: CPU times, counters and boot time. */
export function readStat(text: string): Family[] {
  const seconds: Sample[] = [];
  const single = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [name = '', ...numbers] = line.split(/\s+/);
    const cpu = /^cpu(\d+)$/.exec(name)?.[1];
    if (cpu !== undefined) {
      cpuModes.forEach((mode, index) => {
        seconds.push({ labels: { cpu, mode }, value: Number(numbers[index]) / ticksPerSecond });
      });
    } else if (name !== '') single.set(name, Number(numbers[0]));
  }
  const one = (name: string): Sample[] => [{ value: single.get(name) ?? 0 }];
  return [
    counter('node_cpu_seconds_total', 'Seconds the CPUs spent in each mode.', seconds),
    counter('node_context_switches_total', 'Total number of context switches.', one('ctxt')),
    counter('node_forks_total', 'Total number of forks.', one('processes')),
    counter('node_intr_total', 'Total number of interrupts serviced.', one('intr')),
    gauge('node_boot_time_seconds', 'Node boot time, in unixtime.', one('btime')),
    gauge('node_procs_running', 'Number of processes in runnable state.', one('procs_running')),
    gauge(
      'node_procs_blocked',
      'Number of processes blocked waiting for I/O to complete.',
      one('procs_blocked'),
    ),
  ];
}

/** `/proc/meminfo`: `Active(anon): 12 kB` is `node_memory_Active_anon_bytes`; what has no unit is a count. */
export function readMeminfo(text: string): Family[] {
  return [...text.matchAll(/^([^:]+):\s+(\d+)( kB)?$/gm)].map(([, label = '', number, unit]) => {
    const name = `${label.replace(/\(([^)]*)\)/g, '_$1')}${unit ? '_bytes' : ''}`;
    const value = Number(number) * (unit ? 1024 : 1);
    return gauge(`node_memory_${name}`, `Memory information field ${name}.`, [{ value }]);
  });
}

const receives = ['bytes', 'packets', 'errs', 'drop', 'fifo', 'frame', 'compressed', 'multicast'];
const transmits = ['bytes', 'packets', 'errs', 'drop', 'fifo', 'colls', 'carrier', 'compressed'];

/** `/proc/net/dev`: received and sent per network device since boot. */
export function readNetDev(text: string): Family[] {
  const devices = [...text.matchAll(/^\s*([^\s:|]+):\s*([\d\s]+)$/gm)].map(
    ([, device = '', numbers = '']) => ({
      device,
      numbers: numbers.trim().split(/\s+/).map(Number),
    }),
  );
  const families = (direction: string, names: string[], first: number): Family[] =>
    names.map((name, index) =>
      counter(
        `node_network_${direction}_${name}_total`,
        `Network device statistic ${direction}_${name}.`,
        devices.map(({ device, numbers }) => ({
          labels: { device },
          value: numbers[first + index] ?? 0,
        })),
      ),
    );
  return [...families('receive', receives, 0), ...families('transmit', transmits, receives.length)];
}

/** Partitions and memory devices, ignored as by node_exporter. */
const ignoredDisks = /^(z?ram|loop|fd|(h|s|v|xv)d[a-z]|nvme\d+n\d+p)\d+$/;

/** `/proc/diskstats`: reads and writes per disk since boot. */
export function readDiskstats(text: string): Family[] {
  const disks = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , device]) => device !== undefined && !ignoredDisks.test(device))
    .map(([, , device = '', ...numbers]) => ({ device, numbers: numbers.map(Number) }));
  const each = (index: number, factor: number): Sample[] =>
    disks.map(({ device, numbers }) => ({
      labels: { device },
      value: (numbers[index] ?? 0) * factor,
    }));
  const name = (rest: string): string => `node_disk_${rest}`;
  return [
    counter(name('reads_completed_total'), 'Reads completed successfully.', each(0, 1)),
    counter(name('read_bytes_total'), 'Bytes read successfully.', each(2, sectorBytes)),
    counter(name('read_time_seconds_total'), 'Seconds spent by all reads.', each(3, 0.001)),
    counter(name('writes_completed_total'), 'Writes completed successfully.', each(4, 1)),
    counter(name('written_bytes_total'), 'Bytes written successfully.', each(6, sectorBytes)),
    counter(name('write_time_seconds_total'), 'Seconds spent by all writes.', each(7, 0.001)),
    gauge(name('io_now'), 'I/Os currently in progress.', each(8, 1)),
    counter(name('io_time_seconds_total'), 'Seconds spent doing I/Os.', each(9, 0.001)),
  ];
}

/** A mounted file system, as `/proc/self/mounts` names it. */
export interface Mount {
  device: string;
  mountpoint: string;
  fstype: string;
  readonly: boolean;
}

/** File system types and mount points ignored by node_exporter by default. */
const ignoredKinds =
  /^(autofs|binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|fusectl|hugetlbfs|iso9660|mqueue|nsfs|overlay|proc|procfs|pstore|rpc_pipefs|securityfs|selinuxfs|squashfs|erofs|sysfs|tracefs)$/;
const ignoredPlaces =
  /^\/(dev|proc|run\/credentials\/.+|sys|var\/lib\/docker\/.+|var\/lib\/containers\/storage\/.+)($|\/)/;

/** `/proc/self/mounts`, without duplicates. The root is always included: in a container it is an overlay. */
export function readMounts(text: string): Mount[] {
  const mounts = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [device, place, fstype, options] = line.split(' ').map(unescaped);
    if (!device || !place || !fstype || !options) continue;
    if (place !== '/' && (ignoredKinds.test(fstype) || ignoredPlaces.test(place))) continue;
    const readonly = options.split(',').includes('ro');
    mounts.set(`${device} ${place}`, { device, mountpoint: place, fstype, readonly });
  }
  return [...mounts.values()];
}

/** Blanks in names are octal escapes. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_whole, code: string) =>
    String.fromCharCode(parseInt(code, 8)),
  );
}
