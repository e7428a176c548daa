import { serviceNames } from '@bomtrail/messages';

/** Processes whose costs are measured. */
export const processes = [...serviceNames, 'nats', 'mongod'] as const;
export type Process = (typeof processes)[number];

/** Kinds of uploads that are measured: an unknown set of components, one of which most is known, and one that is known. */
export type UploadKind = 'newSet' | 'release' | 'nightly';

/** CPU of an upload in milliseconds, with what follows from it: docs/performance.md, "CPU of an upload". A test compares. */
export const uploadMs: Record<Process, Record<UploadKind, number>> = {
  gateway: { newSet: 3.7, release: 2.4, nightly: 2.4 },
  ingest: { newSet: 3.1, release: 2.2, nightly: 2.2 },
  catalog: { newSet: 1.4, release: 0.7, nightly: 0.7 },
  scanner: { newSet: 4.1, release: 2.7, nightly: 0.2 },
  reconciler: { newSet: 4.2, release: 4.2, nightly: 0.8 },
  notifier: { newSet: 0.4, release: 0.1, nightly: 0 },
  nats: { newSet: 0.9, release: 0.7, nightly: 0.3 },
  mongod: { newSet: 4.7, release: 3.4, nightly: 1.2 },
};

/**
 * CPU of a re-scan in milliseconds, all processes: docs/performance.md, "CPU of an upload". Split as that of a
 * new set is, among the processes that take part.
 */
export const rescanMs = 2.4;
export const rescanning: readonly Process[] = ['scanner', 'reconciler', 'nats', 'mongod'];

/** Bytes that an upload leaves, indexes included: docs/operations/scaling.md, "Storage". */
export const storedBytes: Record<'first' | 'next', number> = { first: 77_000, next: 28_000 };

/** Bytes of a tracked vulnerability, indexes included (27 KB for 60). */
export const trackedBytes = 27_000 / 60;
/** Tracked vulnerabilities of a service in the measured documents. */
export const trackedOfService = 60;

/** Tracked vulnerabilities in the largest measured data: docs/performance.md, "The page". Beyond, the model extrapolates. */
export const measuredTracked = 1_180_000;
/** Cores of the machine on which everything was measured. */
export const measuredCores = 2;

/** Share of all cores that work reaches while everything runs: a test compares with the measured rates. */
export const usableShare = 0.8;
