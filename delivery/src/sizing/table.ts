import { OperatorError } from '@bomtrail/embedded';
import { processes } from './costs';
import { sizingFor, type Demand } from './model';
import { sizes } from './sizes';

const flags: Readonly<Record<string, keyof Demand>> = {
  '--services': 'services',
  '--versions': 'versions',
  '--uploads-per-day': 'uploadsPerDay',
  '--peak-hours': 'peakHours',
  '--new-share': 'newSetShare',
  '--release-share': 'releaseShare',
  '--rescan-hours': 'rescanHours',
  '--min-replicas': 'minReplicas',
};

/**
 * Reads a demand from arguments, over that of a size.
 *
 * @throws OperatorError that names the argument
 */
export function readDemand(args: readonly string[]): Demand {
  const [size = 'medium', ...rest] = args[0]?.startsWith('--') ? ['medium', ...args] : args;
  if (!Object.hasOwn(sizes, size))
    throw new OperatorError(`${size} is no size: ${Object.keys(sizes).join(', ')}`);
  const demand: Record<keyof Demand, number> = { ...sizes[size as keyof typeof sizes] };
  for (let at = 0; at < rest.length; at += 2) {
    const flag = rest[at] ?? '';
    const name = flags[flag];
    const value = Number(rest[at + 1]);
    if (name === undefined)
      throw new OperatorError(`${flag} is unknown: ${Object.keys(flags).join(', ')}`);
    if (!(value > 0) && !(value === 0 && name.endsWith('Share')))
      throw new OperatorError(`${flag} takes a number above 0`);
    demand[name] = value;
  }
  if (demand.newSetShare + demand.releaseShare > 1)
    throw new OperatorError('--new-share and --release-share are 1 at most, together');
  return demand;
}

/** A number of GB: whole from ten on, below with one decimal. */
export function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0);
}

/** What a demand needs, as lines. */
export function sizingLines(demand: Demand): string[] {
  const sizing = sizingFor(demand);
  const sboms = demand.services * demand.versions;
  return [
    `${sboms.toLocaleString('en')} SBOMs of ${demand.services.toLocaleString('en')} services, ` +
      `${sizing.uploadsPerSecond.toFixed(2)} uploads a second at the peak`,
    '',
    'process      cores  replicas   busy',
    ...processes.map((name) => {
      const { cores, replicas, busy } = sizing.parts[name];
      return (
        name.padEnd(11) +
        cores.toFixed(3).padStart(7) +
        String(replicas).padStart(10) +
        `${(busy * 100).toFixed(0)} %`.padStart(7)
      );
    }),
    '',
    `all cores at the peak          ${sizing.cores.toFixed(2)}`,
    `waiting in queues              ${sizing.queueMs.toFixed(1)} ms`,
    `re-scan of all services within ${demand.rescanHours} h, beside the uploads`,
    `memory of mongod               ${gigabytes(sizing.mongodMemoryBytes)} GB`,
    `disk of MongoDB                ${gigabytes(sizing.diskBytes)} GB a member`,
    `disk of NATS                   ${gigabytes(sizing.natsBytes)} GB a server`,
    sizing.extrapolated.length === 0
      ? 'All of it is within what was measured, but for the disk.'
      : `Extrapolated beyond what was measured: ${sizing.extrapolated.join(', ')}.`,
  ];
}
