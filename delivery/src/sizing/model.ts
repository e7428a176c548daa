import { defaultStorageBytes, streams } from '@bomtrail/messages';
import {
  measuredCores,
  measuredTracked,
  processes,
  rescanMs,
  rescanning,
  storedBytes,
  trackedBytes,
  trackedOfService,
  uploadMs,
  plannedShare,
  usableShare,
  type Process,
  type UploadKind,
} from './costs';

/** What an installation has to do. */
export interface Demand {
  readonly services: number;
  /** Stored SBOMs of each. */
  readonly versions: number;
  readonly uploadsPerDay: number;
  /** The hours of the day in which they come. */
  readonly peakHours: number;
  /** Shares of the uploads; the rest is `nightly`. */
  readonly newSetShare: number;
  readonly releaseShare: number;
  /** Hours in which a change of advisories that concerns every service must be in the lists. */
  readonly rescanHours: number;
  /** Processes of a service at least, so that one may stop. */
  readonly minReplicas: number;
}

export interface Part {
  /** Cores that work at the peak. */
  readonly cores: number;
  readonly replicas: number;
  /** Of the capacity of its replicas, at the peak. */
  readonly busy: number;
}

export interface Sizing {
  readonly parts: Record<Process, Part>;
  readonly uploadsPerSecond: number;
  readonly cores: number;
  readonly mongodMemoryBytes: number;
  readonly diskBytes: number;
  readonly natsBytes: number;
  /** Mean time that an upload waits for a process, all together, at the peak. */
  readonly queueMs: number;
  /** What exceeds the measured range. */
  readonly extrapolated: readonly string[];
}

/** mongod is one process of several threads, a server of NATS too; services use one core each. */
const threaded: ReadonlySet<Process> = new Set(['mongod', 'nats']);
/** Advisories and the writes of some minutes: packages/embedded/README.md. */
const basicCacheBytes = 0.5e9;
/** Storage of all streams for each upload whose events EVENTS holds: docs/operations/scaling.md, "Storage of NATS". */
const natsBytesOfUpload = defaultStorageBytes / 470_000;
const heldHours = streams.find(({ name }) => name === 'EVENTS')?.maxAgeHours ?? 0;

/**
 * Computes what an installation needs, from measured costs. Each process is a queue with the load
 * of the peak, and replicas are added until it is busy to less than the planned share.
 */
export function sizingFor(demand: Demand): Sizing {
  const perSecond = demand.uploadsPerDay / (demand.peakHours * 3600);
  const rescansPerSecond = demand.services / (demand.rescanHours * 3600);
  const parts = Object.fromEntries(
    processes.map((name) => [name, partOf(name, demand, { perSecond, rescansPerSecond })]),
  ) as Record<Process, Part>;
  const tracked = demand.services * trackedOfService;
  const nextBytes = meanNextBytes(demand);
  const dayBytes = demand.uploadsPerDay * nextBytes;
  const cacheBytes = basicCacheBytes + tracked * trackedBytes + dayBytes;
  const heldUploads = (demand.uploadsPerDay * heldHours) / 24;
  return {
    parts,
    uploadsPerSecond: perSecond,
    cores: processes.reduce((sum, name) => sum + parts[name].cores, 0),
    // Half of what exceeds 1 GiB is mongod's cache.
    mongodMemoryBytes: 2 ** 30 + 2 * cacheBytes,
    diskBytes: demand.services * (storedBytes.newSet + (demand.versions - 1) * nextBytes),
    natsBytes: Math.max(defaultStorageBytes, heldUploads * natsBytesOfUpload),
    queueMs: processes.reduce((sum, name) => sum + waitMs(name, demand, parts[name]), 0),
    extrapolated: [
      ...(tracked > measuredTracked ? ['tracked vulnerabilities'] : []),
      ...(parts.mongod.cores > measuredCores ? ['cores of mongod'] : []),
    ],
  };
}

/** Of an upload to a service that has versions: its tracked vulnerabilities are there, and updated in place. */
function meanNextBytes({ newSetShare, releaseShare }: Demand): number {
  const { newSet, release, nightly } = storedBytes;
  const next = newSet - trackedOfService * trackedBytes;
  return newSetShare * next + releaseShare * release + (1 - newSetShare - releaseShare) * nightly;
}

function partOf(
  name: Process,
  demand: Demand,
  { perSecond, rescansPerSecond }: { perSecond: number; rescansPerSecond: number },
): Part {
  const rescan = rescanning.includes(name) ? rescanMs * shareOfRescan(name) : 0;
  const cores = (perSecond * meanMs(name, demand) + rescansPerSecond * rescan) / 1000;
  const needed = Math.ceil(cores / plannedShare);
  if (threaded.has(name)) return { cores, replicas: 1, busy: cores / Math.max(needed, 1) };
  const replicas = Math.max(needed, demand.minReplicas);
  return { cores, replicas, busy: cores / replicas };
}

function meanMs(name: Process, { newSetShare, releaseShare }: Demand): number {
  const of = (kind: UploadKind): number => uploadMs[name][kind];
  const rest = 1 - newSetShare - releaseShare;
  return newSetShare * of('newSet') + releaseShare * of('release') + rest * of('nightly');
}

function shareOfRescan(name: Process): number {
  const all = rescanning.reduce((sum, one) => sum + uploadMs[one].newSet, 0);
  return uploadMs[name].newSet / all;
}

/** The wait in a queue of Poisson arrivals and one server, for the share of each replica; more replicas wait less. */
function waitMs(name: Process, demand: Demand, { busy }: Part): number {
  return (meanMs(name, demand) * busy) / (1 - busy);
}

/** Uploads of one kind that cores process in a second, everything on one machine. */
export function rateOn(cores: number, kind: UploadKind): number {
  const ms = processes.reduce((sum, name) => sum + uploadMs[name][kind], 0);
  return (cores * usableShare * 1000) / ms;
}
