import { serviceNames } from '@bomtrail/messages';

/** Processes whose costs are measured. */
export const processes = [...serviceNames, 'nats', 'mongod'] as const;
export type Process = (typeof processes)[number];

/** Kinds of uploads that are measured: an unknown set of components, one of which most is known, and one that is known. */
export type UploadKind = 'newSet' | 'release' | 'nightly';

/** CPU of an upload in milliseconds, with what follows from it: docs/performance.md, "CPU of an upload". A test compares. */
export const uploadMs: Record<Process, Record<UploadKind, number>> = {
  gateway: { newSet: 3.8, release: 3, nightly: 3.1 },
  ingest: { newSet: 4.4, release: 3.9, nightly: 3.7 },
  catalog: { newSet: 1.2, release: 0.7, nightly: 0.7 },
  scanner: { newSet: 3.6, release: 2.9, nightly: 0.2 },
  reconciler: { newSet: 4, release: 1.7, nightly: 0.7 },
  notifier: { newSet: 0.3, release: 0.3, nightly: 0.2 },
  nats: { newSet: 0.9, release: 0.8, nightly: 0.4 },
  mongod: { newSet: 5.9, release: 4.8, nightly: 1.5 },
};

/**
 * CPU of a re-scan in milliseconds, all processes: docs/performance.md, "CPU of an upload". Split as that of a
 * new set is, among the processes that take part.
 */
export const rescanMs = 2.4;
export const rescanning: readonly Process[] = ['scanner', 'reconciler', 'nats', 'mongod'];

/** Bytes that an upload leaves, indexes included: docs/operations/scaling.md, "Storage". A new set is that of a new service. */
export const storedBytes: Record<UploadKind, number> = {
  newSet: 76_000,
  release: 47_000,
  nightly: 28_000,
};

/**
 * Resident memory after a start and under 32 clients, and what an upload adds to it: heaps, caches. Measured up to
 * some 4,000 uploads; each has a bound further on, so nothing follows from it for larger data.
 */
export const residentBytes: Record<Process, { start: number; perUpload: number }> = {
  gateway: { start: 235e6, perUpload: 0 },
  ingest: { start: 205e6, perUpload: 40e3 },
  catalog: { start: 123e6, perUpload: 0 },
  scanner: { start: 175e6, perUpload: 30e3 },
  reconciler: { start: 185e6, perUpload: 0 },
  notifier: { start: 82e6, perUpload: 0 },
  nats: { start: 25e6, perUpload: 6.5e3 },
  mongod: { start: 350e6, perUpload: 125e3 },
};

/** Bytes of a tracked vulnerability, indexes included (26 KB for 60). */
export const trackedBytes = 26_000 / 60;
/** Tracked vulnerabilities of a service in the measured documents. */
export const trackedOfService = 60;

/** Tracked vulnerabilities in the largest measured data: docs/performance.md, "The page". Beyond, the model extrapolates. */
export const measuredTracked = 1_180_000;
/** Cores of the machine on which everything was measured. */
export const measuredCores = 2;
/** Speed of one of them, as the bench calibrates: docs/performance.md. */
export const measuredSpeed = { sha256MbPerSecond: 1560, jsonParseMbPerSecond: 277 };

/** Share of all cores that work reaches while everything runs: a test compares with the measured rates. */
export const usableShare = 0.88;
/** Share of its capacity to which a process is planned to be busy. */
export const plannedShare = 0.8;
