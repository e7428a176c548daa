import {
  AppError,
  listFindingPackages,
  maxPackageCharactersRead,
  maxPackagesRead,
  maxSetsRead,
  readFindingsPage,
  type FindingPackages,
  type FindingsReport,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { Scan } from './domain/add-version';
import { createObservationFold } from './domain/fold-observations';
import { partPackages } from './domain/part-packages';
import type { Observation } from './domain/types';
import { joinReport } from './observations-of';
import type { NewDetails } from './store/details-document';

export interface ReadPagesDeps {
  request: Request;
  /** Stores the details before anything that refers to them is returned. */
  storeDetails: (details: NewDetails) => Promise<void>;
}

/** Bounds of one request. */
const mostAtOnce = { packages: maxPackagesRead, characters: maxPackageCharactersRead };
/** Findings and vulnerabilities of one part; a single package may have more. */
const perPart = 2_000;
/** How often reading restarts if the findings change. */
const maxRounds = 5;

class FindingsChanged extends AppError {
  constructor() {
    super('service_unavailable', 'The findings keep changing: repeat the request.');
  }
}

/**
 * Reads the findings of packages in a component set page by page.
 *
 * @throws AppError `service_unavailable` if the set is not evaluated yet, or if the findings change
 *   meanwhile, which `retryWhileChanging` repeats
 */
export async function* readPages(
  { request, storeDetails }: ReadPagesDeps,
  { digest, packages }: { digest: string; packages: readonly string[] },
): AsyncGenerator<{ observations: Observation[]; revision: number }> {
  const single = new Map(packages.map((key) => [key, 0]));
  for (const some of partPackages(single, { ...mostAtOnce, count: 0 })) {
    let after: string | null = null;
    do {
      const query: { digest: string; packages: string[]; after: string | null } = {
        digest,
        packages: some,
        after,
      };
      const response = await mapNotFound(request(readFindingsPage, query));
      const { restart, revision } = response.body;
      if (restart) throw new FindingsChanged();
      if (!response.attachment) throw new Error('The scanner sent no findings.');
      const report = (await unpackJson(response.attachment)) as FindingsReport;
      const { observations, details } = joinReport(report);
      await storeDetails(details);
      yield { observations, revision };
      after = response.body.next;
    } while (after !== null);
  }
}

/** Reads all findings of some packages, unfolded, and stores nothing. @throws like `readPages` */
export async function readUnfolded(
  request: Request,
  query: { digest: string; packages: readonly string[] },
): Promise<Omit<Scan, 'findingsHash'>> {
  const observations: Observation[] = [];
  let revision = Number.MAX_SAFE_INTEGER;
  const storeDetails = async (): Promise<void> => {};
  for await (const page of readPages({ request, storeDetails }, query)) {
    for (const one of page.observations) observations.push(one);
    revision = Math.min(revision, page.revision);
  }
  return { observations, revision };
}

/** Restarts a read if the findings have changed. @throws AppError `service_unavailable` */
export async function retryWhileChanging<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let round = 0; round < maxRounds; round += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof FindingsChanged)) throw error;
    }
  }
  throw new FindingsChanged();
}

/**
 * Divides the packages with findings in these component sets into parts that fit into memory.
 *
 * @param also `vulnerabilities`: vulnerabilities by package; adds their packages to the parts unless
 *   `onlyFound`. `most`: findings and vulnerabilities of one part
 * @returns `revision`: the minimum advisory revision of the sets; 0 if there are none
 */
export async function partsOf(
  request: Request,
  digests: readonly string[],
  also: { vulnerabilities: ReadonlyMap<string, number>; most: number; onlyFound?: true },
): Promise<{ parts: string[][]; revision: number }> {
  let revision: number | undefined;
  const counts = new Map<string, number>();
  const distinct = [...new Set(digests)];
  for (let at = 0; at < distinct.length; at += maxSetsRead) {
    const query = { digests: distinct.slice(at, at + maxSetsRead) };
    const { attachment, body } = await mapNotFound(request(listFindingPackages, query));
    if (!attachment) throw new Error('The scanner sent no packages.');
    revision = Math.min(revision ?? body.revision, body.revision);
    const found = (await unpackJson(attachment)) as FindingPackages;
    for (const [key, count] of Object.entries(found))
      counts.set(key, (counts.get(key) ?? 0) + count);
  }
  for (const [key, count] of also.vulnerabilities)
    if (!also.onlyFound || counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + count);
  const parts = partPackages(counts, { ...mostAtOnce, count: Math.min(perPart, also.most) });
  return { parts, revision: revision ?? 0 };
}

/**
 * Reads the findings of some packages page by page and folds them, with their minimum revision. Not combined with other
 * queries.
 */
export function readFolded(
  deps: ReadPagesDeps,
  query: { digest: string; packages: readonly string[] },
): Promise<Omit<Scan, 'findingsHash'>> {
  return retryWhileChanging(async () => {
    const fold = createObservationFold();
    let revision = Number.MAX_SAFE_INTEGER;
    for await (const page of readPages(deps, query)) {
      fold.add(page.observations);
      revision = Math.min(revision, page.revision);
    }
    return { observations: fold.end(), revision };
  });
}

/** The same for all packages of a set. */
export async function readFoldedSet(
  deps: ReadPagesDeps,
  digest: string,
): Promise<Omit<Scan, 'findingsHash'>> {
  const all = { vulnerabilities: new Map<string, number>(), most: Number.MAX_SAFE_INTEGER };
  const { parts } = await partsOf(deps.request, [digest], all);
  return readFolded(deps, { digest, packages: parts.flat() });
}

async function mapNotFound<RpcResponse>(response: Promise<RpcResponse>): Promise<RpcResponse> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'sbom_not_found') throw error;
    throw new AppError('service_unavailable', 'The component set is not evaluated yet.');
  }
}
