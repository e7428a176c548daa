import { MATCHING_RULES_VERSION, type PackageVersion } from '@bomtrail/osv';
import type { StampedCache } from '../cache/stamped-cache';
import { cleanAssessment, sameAssessment, type Assessment } from '../domain/assess-version';
import { pagesOf } from '../domain/pages';
import type { AdvisoryStore } from '../store/advisory-store';
import type { FeedState } from '../store/feed-state-store';
import { lastChangeAt, type PackageChangeStore } from '../store/package-change-store';
import {
  assessmentAt,
  versionDocument,
  type PackageVersionDocument,
  type PackageVersionStore,
} from '../store/package-version-store';
import { assessByAdvisories, keyOf } from './assess-by-advisories';
import { visitAdvisories, type VisitAdvisoriesDeps } from './visit-advisories';

export interface AssessVersionsDeps extends VisitAdvisoriesDeps {
  versions: PackageVersionStore;
  changes: PackageChangeStore;
  advisories: AdvisoryStore;
  /** Package versions that are right at the revision of the stamp. */
  versionCache: StampedCache<PackageVersionDocument>;
  countEvaluated(count: number): void;
}

/** The assessments of package versions. */
export interface Assessed {
  assessments: Map<string, Assessment>;
  /** How many had to be made for it. */
  evaluated: number;
  /** Of those that were stored for the first time, `keptFresh` at most: nothing else is known of them. */
  fresh: PackageVersionDocument[];
  /** The latest revision from which on one of those with matches says what it says; 0 when there is none. */
  since: number;
}

/** What the assessing of one set works on. */
interface Work {
  state: FeedState;
  assessed: Assessed;
}

/** Package versions in one round trip. */
const versionsPerRead = 1000;
/** Letters of their names: a question of more than 16 MiB is refused, and a name may have millions. */
const lettersPerRead = 2 * 1024 * 1024;
/** Of a big set: one page is evaluated while another one is written. */
const pagesAtOnce = 3;
/** What one set brings of new versions to the cache: a big one must not push out what others share, nor hold it all. */
const keptFresh = 10_000;
/** Packages whose advisories are read together. */
const packagesPerRead = 500;

/**
 * What is known about package versions at the revision of the state. Those never seen before, and
 * those that were assessed before their package changed or under other rules, are evaluated and
 * stored. The caller must read the revision again: all this counts only if it has not moved, because
 * advisories of older revisions are not kept for ever.
 */
export async function assessVersions(
  deps: AssessVersionsDeps,
  versions: ReadonlyMap<string, PackageVersion>,
  state: FeedState,
): Promise<Assessed> {
  const assessed: Assessed = { assessments: new Map(), evaluated: 0, fresh: [], since: 0 };
  const work = { state, assessed };
  const unknown: [string, PackageVersion][] = [];
  for (const entry of versions) {
    const cached = deps.versionCache.get(state.stamp, entry[0]);
    if (!cached || !keep(work, cached)) unknown.push(entry);
  }
  const pages = pagesOf(unknown, {
    ...{ items: versionsPerRead, size: lettersPerRead },
    sizeOf: ([, version]) => version.name.length + version.version.length,
  });
  for (const together of pagesOf(pages, { items: pagesAtOnce })) {
    const works = together.map(async (page) => {
      const { missing, outdated } = await findFresh(deps, page, work);
      for (const group of byPackages(missing)) await evaluate(deps, { group, outdated }, work);
      assessed.evaluated += missing.length;
    });
    await Promise.all(works);
  }
  deps.countEvaluated(assessed.evaluated);
  return assessed;
}

/** Keeps the stored ones that are right at the revision; gives the others. */
async function findFresh(
  deps: AssessVersionsDeps,
  page: [string, PackageVersion][],
  work: Work,
): Promise<{
  missing: [string, PackageVersion][];
  outdated: Map<string, PackageVersionDocument>;
}> {
  const { state, assessed } = work;
  const stored = await deps.versions.find(page.map(([id]) => id));
  const changes = await deps.changes.lastChanges([...new Set(stored.map((one) => one.package))]);
  const outdated = new Map<string, PackageVersionDocument>();
  for (const document of stored) {
    const changedAt = lastChangeAt(changes.get(document.package), state.revision);
    const isFresh = document.revision >= changedAt && document.rules === MATCHING_RULES_VERSION;
    if (isFresh && keep(work, document)) deps.versionCache.set(state.stamp, document._id, document);
    else outdated.set(document._id, document);
  }
  return { missing: page.filter(([id]) => !assessed.assessments.has(id)), outdated };
}

async function evaluate(
  deps: AssessVersionsDeps,
  page: {
    group: [string, PackageVersion][];
    outdated: ReadonlyMap<string, PackageVersionDocument>;
  },
  work: Work,
): Promise<void> {
  const { revision, stamp } = work.state;
  const versions = page.group.map(([, version]) => version);
  const assessments = await assessByAdvisories(versions, (packages, visit) =>
    visitAdvisories(deps, packages, { stamp, revision, visit }),
  );
  const inserted: PackageVersionDocument[] = [];
  const replaced: PackageVersionDocument[] = [];
  const same: string[] = [];
  for (const [index, [id, version]] of page.group.entries()) {
    const assessment = assessments[index] ?? cleanAssessment;
    const held = page.outdated.get(id);
    const document = versionDocument(id, version, { assessment, revision });
    if (held && sameAssessment(held, assessment)) {
      same.push(id);
      keep(work, { ...document, since: held.since ?? 0 });
      continue;
    }
    keep(work, document);
    (held ? replaced : inserted).push(document);
  }
  const { fresh } = work.assessed;
  const stored = await deps.versions.insert(inserted);
  fresh.push(...stored.slice(0, keptFresh - fresh.length));
  await deps.versions.replaceOlder(replaced);
  await deps.versions.confirm(same, revision);
}

/** False when the document does not know any more what was right at the revision. */
function keep({ state, assessed }: Work, document: PackageVersionDocument): boolean {
  const assessment = assessmentAt(document, state.revision);
  if (!assessment) return false;
  const { matches, undetermined } = assessment;
  const isClean = matches.length === 0 && undetermined === null;
  assessed.assessments.set(document._id, isClean ? cleanAssessment : { matches, undetermined });
  if (matches.length > 0) assessed.since = Math.max(assessed.since, assessment.since ?? 0);
  return true;
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
