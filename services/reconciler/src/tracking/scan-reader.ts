import { AppError, maxSetsRead, readFindingsOfSets, type SetsFindings } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import { unpackJson } from '@bomtrail/messaging';
import { LRUCache } from 'lru-cache';
import type { Scan } from './domain/add-version';
import { findingsHashOf } from './domain/findings-hash';
import { TooLargeError } from './domain/too-large-error';
import type { Observation } from './domain/types';
import { joinReport } from './observations-of';
import { readFolded, readFoldedSet, type ReadPagesDeps } from './large-scans';
import { grouped } from './domain/grouped';

/** A component set to read, limited to some packages; null: all packages. */
export interface ScanQuery {
  digest: string;
  packages: readonly string[] | null;
}

/**
 * Reads the scanner's findings, after their details are stored. In packages with very many findings, versions with the same
 * details are folded into one observation. A query for all packages is rejected with TooLargeError if the set has too many
 * findings.
 */
export interface ScanReader {
  /** Findings of at least this revision (0: of any), from memory if possible; absent: the scanner's current ones. */
  read(query: ScanQuery, revision?: number): Promise<Scan>;
  /** The same of all packages, whose findings are folded if they are too many. */
  readWhole(digest: string, revision?: number): Promise<Scan>;
}

/** A quarter of the default grace period of unused details. */
const usualMemoryMs = 15 * 60_000;
/** A few hundred bytes each. */
const maxObservations = 50_000;

/**
 * Creates a reader that combines concurrent queries into one request and caches results: thousands of services contain
 * the same few component sets.
 *
 * @param deps.storeDetails stores the details before any result that refers to them is returned
 * @param memoryMs lifetime of a cached result; must be well below the grace period of the details
 */
export function createScanReader(
  deps: ReadPagesDeps,
  memoryMs: number = usualMemoryMs,
): ScanReader {
  const read = cacheScans(createBatchedReader(deps), memoryMs);
  return {
    read,
    async readWhole(digest, revision) {
      try {
        return await read({ digest, packages: null }, revision);
      } catch (error) {
        if (!(error instanceof TooLargeError)) throw error;
        return scanResult(await readFoldedSet(deps, digest));
      }
    },
  };
}

/** A scan result that computes its hash on first use. */
export function scanResult({ observations, revision }: Omit<Scan, 'findingsHash'>): Scan {
  let findingsHash: string | undefined;
  return {
    observations,
    revision,
    findingsHash: () => (findingsHash ??= findingsHashOf(observations)),
  };
}

/** Caches what `readNow` returns; concurrent queries for the same wait for one read. */
export function cacheScans(
  readNow: (query: ScanQuery) => Promise<Scan>,
  memoryMs: number,
): ScanReader['read'] {
  const cached = new LRUCache<string, Scan>({
    ttl: memoryMs,
    maxSize: maxObservations,
    sizeCalculation: ({ observations }) => observations.length + 1,
  });
  const inProgress = new Map<string, Promise<Scan>>();

  async function readAndCache(key: string, query: ScanQuery): Promise<Scan> {
    const reading = readNow(query);
    inProgress.set(key, reading);
    try {
      const scan = await reading;
      cached.set(key, scan);
      return scan;
    } finally {
      if (inProgress.get(key) === reading) inProgress.delete(key);
    }
  }

  return async (query, revision) => {
    if (revision === undefined) return readNow(query);
    const { digest, packages } = query;
    const key = packages ? `${digest} ${packages.join('\n')}` : digest;
    for (;;) {
      const known = cached.get(key);
      if (known && known.revision >= revision) return known;
      const others = inProgress.get(key);
      if (!others) return readAndCache(key, query);
      // A read that began before the revision came into force does not count.
      const scan = await others.catch(() => null);
      if (scan && scan.revision >= revision) return scan;
    }
  };
}

/** Reads with one request for all concurrent queries for the same packages. */
function createBatchedReader(deps: ReadPagesDeps): (query: ScanQuery) => Promise<Scan> {
  const read = createBatcher<ScanQuery, Scan | Error>(async (queries) => {
    const found = new Map<ScanQuery, Scan | Error>();
    await Promise.all(
      [...grouped(queries, ({ packages }) => JSON.stringify(packages)).values()].map(
        async (batch) => {
          const digests = [...new Set(batch.map(({ digest }) => digest))];
          const scans = await readSets(deps, digests, batch[0]?.packages ?? null).catch(asError);
          for (const query of batch)
            found.set(
              query,
              scans instanceof Error ? scans : (scans.get(query.digest) ?? missing()),
            );
        },
      ),
    );
    return queries.map((query) => found.get(query) ?? missing());
  }, maxSetsRead);
  return async (query) => {
    const scan = await read(query);
    const { digest, packages } = query;
    if (scan instanceof TooLargeError && packages)
      return scanResult(await readFolded(deps, { digest, packages }));
    if (scan instanceof Error) throw scan;
    return scan;
  };
}

/** The scans of those sets that are evaluated. Sets of one response with the same findings share one list. */
async function readSets(
  { request, storeDetails }: ReadPagesDeps,
  digests: readonly string[],
  packages: readonly string[] | null,
): Promise<Map<string, Scan | Error>> {
  const scans = new Map<string, Scan | Error>();
  let remaining = digests;
  while (remaining.length > 0) {
    const { body, attachment } = await request(readFindingsOfSets, {
      digests: [...remaining],
      packages: packages && [...packages],
    });
    if (!attachment) throw new Error('The scanner sent no findings.');
    if (body.answered === 0) {
      const [large = '', ...others] = remaining;
      scans.set(large, new TooLargeError(`The component set ${large} has too many findings.`));
      remaining = others;
      continue;
    }
    const report = (await unpackJson(attachment)) as SetsFindings;
    const { observations: all, details } = joinReport(report);
    await storeDetails(details);
    const lists = new Map<string, Observation[]>();
    for (const { digest, revision, findings } of report.sets) {
      const key = findings.join();
      const observations = lists.get(key) ?? findings.flatMap((index) => all[index] ?? []);
      lists.set(key, observations);
      scans.set(digest, scanResult({ observations, revision }));
    }
    remaining = remaining.slice(body.answered);
  }
  return scans;
}

function missing(): AppError {
  return new AppError('service_unavailable', 'The component set is not evaluated yet.');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The findings of several component sets. */
export interface Scans {
  observations: Map<string, readonly Observation[]>;
  /** The minimum revision of the sets; 0 if there are none. */
  revision: number;
  /** The maximum revision of the sets. */
  newest: number;
}

/**
 * Reads the scans of component sets in one batch.
 *
 * @param options `atLeast`: the minimum revision, with which cached scans may be used; 0: the current findings.
 *   `packages`: limits the read. `isWhole`: folds sets with too many findings
 * @throws TooLargeError if all packages are requested, a set has too many findings, and not `isWhole`
 */
export async function readScans(
  scans: ScanReader,
  digests: readonly string[],
  options: { atLeast: number; packages?: readonly string[] | undefined; isWhole?: true },
): Promise<Scans> {
  const { atLeast, packages = null, isWhole } = options;
  const revision = atLeast || undefined;
  const distinct = [...new Set(digests)];
  const found = await Promise.all(
    distinct.map((digest) =>
      isWhole ? scans.readWhole(digest, revision) : scans.read({ digest, packages }, revision),
    ),
  );
  const revisions = found.map(({ revision }) => revision);
  return {
    observations: new Map(
      distinct.map((digest, index) => [digest, found[index]?.observations ?? []]),
    ),
    revision: revisions.reduce((a, b) => Math.min(a, b), revisions[0] ?? 0),
    newest: revisions.reduce((a, b) => Math.max(a, b), 0),
  };
}
