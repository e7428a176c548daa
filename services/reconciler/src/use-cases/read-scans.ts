import { AppError, maxSetsRead, readFindingsOfSets, type SetsFindings } from '@bomtrail/messages';
import { createBatcher, NoResponders, unpackJson } from '@bomtrail/service-kit';
import { findingsHashOf } from '../domain/findings-hash';
import { createObservationFold } from '../domain/fold-observations';
import { TooLargeError } from '../domain/too-large-error';
import { LRUCache } from 'lru-cache';
import type { Observation } from '../domain/types';
import { findScan, observationsOf } from './read-scan';
import { partsOf, readPages, retryWhileChanging, type ReadPagesDeps } from './read-finding-pages';

/** A component set whose findings are asked for, of these packages or (null) of all. */
export interface ScanQuery {
  digest: string;
  packages: readonly string[] | null;
}

/** What the scanner says of a component set, with the details that rows refer to already stored. */
export interface ScanResult {
  observations: readonly Observation[];
  /** The advisory revision that it is right for. */
  revision: number;
  /** `findingsHashOf` its observations. */
  findingsHash(): string;
}

/** A scan whose fingerprint is made at the first question for it. */
export function scanResult(observations: readonly Observation[], revision: number): ScanResult {
  let findingsHash: string | undefined;
  return {
    observations,
    revision,
    findingsHash: () => (findingsHash ??= findingsHashOf(observations)),
  };
}

/**
 * Says what the scanner says now, at the moment of the call or later. Of packages that have very many
 * findings those that say the same of several versions are folded into one.
 *
 * @throws TooLargeError where all packages are asked for and have too many findings
 */
export type ScanReader = (query: ScanQuery) => Promise<ScanResult>;

/** Observations that are kept to take the place of equal ones. */
const maxSharedObservations = 50_000;
type EqualObservations = LRUCache<string, Observation>;

/** Sets of which a scanner that takes one at a time is asked at once. */
const setsAtOnce = 8;
/** To learn that nobody answers takes seconds: so long it is taken for granted. */
const olderForMs = 60_000;

interface OwnDeps extends ReadPagesDeps {
  equals: EqualObservations;
  /** Until when the scanner is taken for one that does not know the question for many sets. */
  older: { until: number };
}

/**
 * Reads scans, those that are asked for at the same time in one question. Sets whose findings are the
 * same share the list of them.
 *
 * @param deps.keep stores the details before anybody is given what refers to them
 */
export function createScanReader(deps: ReadPagesDeps): ScanReader {
  const equals: EqualObservations = new LRUCache({ max: maxSharedObservations });
  const older = { until: 0 };
  const read = createBatcher<ScanQuery, ScanResult | Error>(async (queries) => {
    const found = new Map<ScanQuery, ScanResult | Error>();
    await Promise.all(
      byPackages(queries).map(async ({ packages, batched }) => {
        const digests = [...new Set(batched.map(({ digest }) => digest))];
        const query = { digests, packages };
        const scans = await scansOfAnyRelease({ ...deps, equals, older }, query).catch(
          (error: Error) => error,
        );
        for (const query of batched)
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

function byPackages(
  queries: readonly ScanQuery[],
): { packages: readonly string[] | null; batched: ScanQuery[] }[] {
  const groups = new Map<string, { packages: readonly string[] | null; batched: ScanQuery[] }>();
  for (const query of queries) {
    const key = JSON.stringify(query.packages);
    const group = groups.get(key);
    if (group) group.batched.push(query);
    else groups.set(key, { packages: query.packages, batched: [query] });
  }
  return [...groups.values()];
}

/** During an upgrade the scanner may be of a release that does not know the question for many sets. */
async function scansOfAnyRelease(
  deps: OwnDeps,
  query: { digests: readonly string[]; packages: readonly string[] | null },
): Promise<Map<string, ScanResult | Error>> {
  const { older } = deps;
  if (performance.now() < older.until) return readOneByOne(deps, query);
  try {
    return await readScans(deps, query.digests, query.packages);
  } catch (error) {
    if (!(error instanceof NoResponders)) throw error;
    const scans = await readOneByOne(deps, query);
    older.until = performance.now() + olderForMs;
    return scans;
  }
}

async function readOneByOne(
  deps: OwnDeps,
  { digests, packages }: { digests: readonly string[]; packages: readonly string[] | null },
): Promise<Map<string, ScanResult>> {
  const scans = new Map<string, ScanResult>();
  for (let at = 0; at < digests.length; at += setsAtOnce) {
    const some = digests.slice(at, at + setsAtOnce);
    const found = await Promise.all(some.map((digest) => findScan(deps.request, digest)));
    for (const [index, scan] of found.entries()) {
      if (!scan) continue;
      await deps.storeDetails(scan.vulnerabilities);
      const wanted = scan.observations.filter(
        ({ package_key }) => packages === null || packages.includes(package_key),
      );
      const cached = wanted.map((one) => equalOf(one, deps.equals));
      scans.set(some[index] ?? '', scanResult(cached, scan.revision));
    }
  }
  return scans;
}

/** The scans of those sets that are evaluated. */
async function readScans(
  deps: OwnDeps,
  digests: readonly string[],
  packages: readonly string[] | null,
): Promise<Map<string, ScanResult | Error>> {
  const scans = new Map<string, ScanResult | Error>();
  let left = digests;
  while (left.length > 0) {
    const query = { digests: [...left], packages: packages && [...packages] };
    const { body, attachment } = await deps.request(readFindingsOfSets, query);
    if (!attachment) throw new Error('The scanner sent no findings.');
    if (body.answered === 0) {
      const [large = '', ...others] = left;
      scans.set(large, new TooLargeError(`The component set ${large} has too many findings.`));
      left = others;
      continue;
    }
    const report = (await unpackJson(attachment)) as SetsFindings;
    await deps.storeDetails(report.vulnerabilities);
    const all = observationsOf(report).map((one) => equalOf(one, deps.equals));
    const lists = new Map<string, Observation[]>();
    for (const { digest, revision, findings } of report.sets) {
      const key = findings.join();
      const observations = lists.get(key) ?? findings.flatMap((index) => all[index] ?? []);
      lists.set(key, observations);
      scans.set(digest, scanResult(observations, revision));
    }
    left = left.slice(body.answered);
  }
  return scans;
}

/**
 * The scan of a whole set, folded where it has too many findings: for checks, which compare whole lines.
 *
 * @param scan the reading that may be refused
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

/** The scan of packages in one set page by page, folded; it shares no question with others. */
export function readFolded(
  deps: ReadPagesDeps,
  query: { digest: string; packages: readonly string[] },
): Promise<ScanResult> {
  return retryWhileChanging(async () => {
    const fold = createObservationFold();
    let least = Number.MAX_SAFE_INTEGER;
    for await (const { observations, revision } of readPages(deps, query)) {
      fold.add(observations);
      least = Math.min(least, revision);
    }
    return scanResult(fold.end(), least);
  });
}

/** The observation that takes the place of this one. */
function equalOf(observation: Observation, equals: EqualObservations): Observation {
  // A purl need not hold the version; what the details say stands behind their hash.
  const { package_key, package_name, package_version, ecosystem, ...rest } = observation;
  const { purl, details, is_direct, is_root, fixed_versions } = rest;
  const named = [package_key, package_name, package_version, ecosystem, purl];
  const key = JSON.stringify([...named, details, is_direct, is_root, fixed_versions]);
  const equal = equals.get(key) ?? observation;
  equals.set(key, equal);
  return equal;
}
