import { AppError, maxSetsRead, readFindingsOfSets, type SetsFindings } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import { unpackJson } from '@bomtrail/messaging';
import { LRUCache } from 'lru-cache';
import { findingsHashOf } from './domain/findings-hash';
import { createObservationFold } from './domain/fold-observations';
import { TooLargeError } from './domain/too-large-error';
import type { Observation } from './domain/types';
import { joinReport } from './observations-of';
import { partsOf, readPages, retryWhileChanging, type ReadPagesDeps } from './read-finding-pages';

/** A component set to read, limited to some packages; null: all packages. */
export interface ScanQuery {
  digest: string;
  packages: readonly string[] | null;
}

/** The scanner's findings of a component set. Their details are already stored. */
export interface ScanResult {
  observations: readonly Observation[];
  /** The advisory revision of the findings. */
  revision: number;
  /** `findingsHashOf` the observations. */
  findingsHash(): string;
}

/** A scan result that computes its hash on first use. */
export function scanResult(observations: readonly Observation[], revision: number): ScanResult {
  let findingsHash: string | undefined;
  return {
    observations,
    revision,
    findingsHash: () => (findingsHash ??= findingsHashOf(observations)),
  };
}

/**
 * Reads the scanner's current findings. In packages with very many findings, versions with the same
 * details are folded into one observation.
 *
 * @throws TooLargeError if the query is for all packages and there are too many findings
 */
export type ScanReader = (query: ScanQuery) => Promise<ScanResult>;

/** Observations cached so that equal ones share memory. */
const maxSharedObservations = 50_000;
type EqualObservations = LRUCache<string, Observation>;

interface BatchDeps extends ReadPagesDeps {
  equals: EqualObservations;
}

/**
 * Creates a reader that combines concurrent queries into one request. Sets with identical findings share
 * one list.
 *
 * @param deps.storeDetails stores the details before any result that refers to them is returned
 */
export function createScanReader(deps: ReadPagesDeps): ScanReader {
  const equals: EqualObservations = new LRUCache({ max: maxSharedObservations });
  const read = createBatcher<ScanQuery, ScanResult | Error>(async (queries) => {
    const found = new Map<ScanQuery, ScanResult | Error>();
    await Promise.all(
      byPackages(queries).map(async ({ packages, batch }) => {
        const digests = [...new Set(batch.map(({ digest }) => digest))];
        const scans = await readScans({ ...deps, equals }, digests, packages).catch(
          (error: Error) => error,
        );
        for (const query of batch)
          found.set(query, scans instanceof Error ? scans : (scans.get(query.digest) ?? missing()));
      }),
    );
    return queries.map((query) => found.get(query) ?? missing());
  }, maxSetsRead);
  return async (query) => {
    const scan = await read(query);
    const { digest, packages } = query;
    if (scan instanceof TooLargeError && packages) return readFolded(deps, { digest, packages });
    if (scan instanceof Error) throw scan;
    return scan;
  };
}

function missing(): AppError {
  return new AppError('service_unavailable', 'The component set is not evaluated yet.');
}

interface QueryBatch {
  packages: readonly string[] | null;
  batch: ScanQuery[];
}

function byPackages(queries: readonly ScanQuery[]): QueryBatch[] {
  const batches = new Map<string, QueryBatch>();
  for (const query of queries) {
    const key = JSON.stringify(query.packages);
    const same = batches.get(key);
    if (same) same.batch.push(query);
    else batches.set(key, { packages: query.packages, batch: [query] });
  }
  return [...batches.values()];
}

/** The scans of those sets that are evaluated. */
async function readScans(
  deps: BatchDeps,
  digests: readonly string[],
  packages: readonly string[] | null,
): Promise<Map<string, ScanResult | Error>> {
  const scans = new Map<string, ScanResult | Error>();
  let remaining = digests;
  while (remaining.length > 0) {
    const { body, attachment } = await deps.request(readFindingsOfSets, {
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
    const { observations: found, details } = joinReport(report);
    await deps.storeDetails(details);
    const all = found.map((one) => shared(one, deps.equals));
    const lists = new Map<string, Observation[]>();
    for (const { digest, revision, findings } of report.sets) {
      const key = findings.join();
      const observations = lists.get(key) ?? findings.flatMap((index) => all[index] ?? []);
      lists.set(key, observations);
      scans.set(digest, scanResult(observations, revision));
    }
    remaining = remaining.slice(body.answered);
  }
  return scans;
}

/**
 * Replaces the result of a scan that is too large with the folded findings of the whole set. Used by
 * checks, which compare whole services.
 */
export async function foldIfTooLarge(
  deps: ReadPagesDeps,
  digest: string,
  scan: Promise<ScanResult>,
): Promise<ScanResult> {
  try {
    return await scan;
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const all = { vulnerabilities: new Map<string, number>(), most: Number.MAX_SAFE_INTEGER };
    const { parts } = await partsOf(deps.request, [digest], all);
    return readFolded(deps, { digest, packages: parts.flat() });
  }
}

/** Reads the findings of some packages page by page and folds them. Not combined with other queries. */
export function readFolded(
  deps: ReadPagesDeps,
  query: { digest: string; packages: readonly string[] },
): Promise<ScanResult> {
  return retryWhileChanging(async () => {
    const fold = createObservationFold();
    let minRevision = Number.MAX_SAFE_INTEGER;
    for await (const { observations, revision } of readPages(deps, query)) {
      fold.add(observations);
      minRevision = Math.min(minRevision, revision);
    }
    return scanResult(fold.end(), minRevision);
  });
}

/** The cached observation that equals this one, or this one, now cached. */
function shared(observation: Observation, equals: EqualObservations): Observation {
  // The purl may lack the version. The hash covers the details.
  const { package_key, package_name, package_version, ecosystem, ...rest } = observation;
  const { purl, details, is_direct, is_root, fixed_versions } = rest;
  const named = [package_key, package_name, package_version, ecosystem, purl];
  const key = JSON.stringify([...named, details, is_direct, is_root, fixed_versions]);
  const equal = equals.get(key) ?? observation;
  equals.set(key, equal);
  return equal;
}
