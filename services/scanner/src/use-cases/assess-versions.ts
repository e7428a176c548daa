import { packageKey, type PackageVersion } from '@bomtrail/osv';
import type { StampedCache } from '../cache/stamped-cache';
import { assessVersion, cleanAssessment, type Assessment } from '../domain/assess-version';
import { pagesOf } from '../domain/pages';
import type { AdvisoryStore } from '../store/advisory-store';
import type { FeedState } from '../store/feed-state-store';
import type { PackageChangeStore } from '../store/package-change-store';
import {
  versionDocument,
  type PackageVersionDocument,
  type PackageVersionStore,
} from '../store/package-version-store';

export interface AssessVersionsDeps {
  versions: PackageVersionStore;
  changes: PackageChangeStore;
  advisories: AdvisoryStore;
  /** Package versions that are right at the revision of the stamp. */
  versionCache: StampedCache<PackageVersionDocument>;
  countEvaluated(count: number): void;
}

/** The assessments of package versions, and whether any had to be made for it. */
export interface Assessed {
  assessments: Map<string, Assessment>;
  evaluated: number;
}

/** Package versions in one round trip. */
const versionsPerRead = 1000;
/** Of a big set: one page is evaluated while another one is written. */
const pagesAtOnce = 3;
/** Packages whose advisories are in memory at once; some have hundreds. */
const packagesPerRead = 500;

/**
 * What is known about package versions at a revision. Those never seen before, and those whose
 * package changed after they were assessed, are evaluated and stored. When any were, the caller must
 * read the revision again: the stored ones count only if it has not moved.
 */
export async function assessVersions(
  deps: AssessVersionsDeps,
  versions: ReadonlyMap<string, PackageVersion>,
  state: FeedState,
): Promise<Assessed> {
  const assessments = new Map<string, Assessment>();
  const unknown: [string, PackageVersion][] = [];
  for (const entry of versions) {
    const cached = deps.versionCache.get(state.stamp, entry[0]);
    if (cached) keep(assessments, cached);
    else unknown.push(entry);
  }
  let evaluated = 0;
  const pages = pagesOf(unknown, { items: versionsPerRead });
  for (const together of pagesOf(pages, { items: pagesAtOnce })) {
    const works = together.map(async (page) => {
      const missing = await findFresh(deps, { page, state, assessments });
      for (const group of byPackages(missing)) await evaluate(deps, { group, state, assessments });
      evaluated += missing.length;
    });
    await Promise.all(works);
  }
  deps.countEvaluated(evaluated);
  return { assessments, evaluated };
}

/** The stored ones of which no later change of their package is known; gives the others. */
async function findFresh(
  deps: AssessVersionsDeps,
  work: {
    page: [string, PackageVersion][];
    state: FeedState;
    assessments: Map<string, Assessment>;
  },
): Promise<[string, PackageVersion][]> {
  const { page, state, assessments } = work;
  const [stored, changes] = await Promise.all([
    deps.versions.find(page.map(([id]) => id)),
    deps.changes.lastChanges([...new Set(page.map(([, version]) => keyOf(version)))]),
  ]);
  for (const document of stored) {
    const changedAt = changes.get(document.package)?.revision ?? 0;
    // A change that is not in force yet hides the ones before it: what is older is evaluated again.
    if (document.revision < Math.min(changedAt, state.revision)) continue;
    keep(assessments, document);
    deps.versionCache.set(state.stamp, document._id, document);
  }
  return page.filter(([id]) => !assessments.has(id));
}

async function evaluate(
  deps: AssessVersionsDeps,
  work: {
    group: [string, PackageVersion][];
    state: FeedState;
    assessments: Map<string, Assessment>;
  },
): Promise<void> {
  const { group, state, assessments } = work;
  const packages = [...new Set(group.map(([, version]) => keyOf(version)))];
  const advisories = indexByPackage(await deps.advisories.findByPackages(packages));
  // Read after the advisories: a feed notes a change before it makes it.
  const changes = await deps.changes.lastChanges(packages);
  const documents = group.map(([id, version]) => {
    const key = keyOf(version);
    const assessment = assessVersion(version, advisories.get(key) ?? []);
    const unsettled = changes.get(key)?.pending ?? false;
    return versionDocument(id, version, { assessment, revision: state.revision, unsettled });
  });
  await deps.versions.insert(documents);
  for (const document of documents) keep(assessments, document);
}

function keep(assessments: Map<string, Assessment>, document: PackageVersionDocument): void {
  const { matches, undetermined } = document;
  const isClean = matches.length === 0 && undetermined === null;
  assessments.set(document._id, isClean ? cleanAssessment : { matches, undetermined });
}

/** Versions of one package stay together, so that its advisories are read once. */
function byPackages(versions: [string, PackageVersion][]): [string, PackageVersion][][] {
  const packages = new Map<string, [string, PackageVersion][]>();
  for (const entry of versions) {
    const key = keyOf(entry[1]);
    const members = packages.get(key);
    if (members) members.push(entry);
    else packages.set(key, [entry]);
  }
  const pages = pagesOf(packages.values(), {
    items: packagesPerRead,
  });
  return pages.map((page) => page.flat());
}

/** Advisories by each package that they name. */
export function indexByPackage<Advisory extends { affects: readonly string[] }>(
  advisories: readonly Advisory[],
): Map<string, Advisory[]> {
  const index = new Map<string, Advisory[]>();
  for (const advisory of advisories) {
    for (const key of advisory.affects) {
      const named = index.get(key);
      if (named) named.push(advisory);
      else index.set(key, [advisory]);
    }
  }
  return index;
}

function keyOf({ ecosystem, name }: PackageVersion): string {
  return packageKey(ecosystem, name);
}
