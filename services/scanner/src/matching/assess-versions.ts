import { MATCHING_RULES_VERSION, type PackageVersion } from '@bomtrail/osv';
import type { StampedCache } from '../cache/stamped-cache';
import { cleanAssessment, sameAssessment, type AssessmentSummary } from './domain/assess-version';
import { pagesOf } from '../domain/pages';
import type { AdvisoryStore } from '../feeds/store/advisory-store';
import type { FeedState } from '../feeds/domain/feed-state';
import { lastChangeAt, type PackageChangeStore } from '../feeds/store/package-change-store';
import {
  assessmentAt,
  versionDocument,
  type AssessedVersions,
  type PackageVersionDocument,
} from './store/package-version-store';
import { assessByAdvisories, keyOf, TooManyMatches } from './assess-by-advisories';
import { visitAdvisories, type VisitAdvisoriesDeps } from './visit-advisories';

export interface AssessVersionsDeps extends VisitAdvisoriesDeps {
  versions: AssessedVersions;
  changes: PackageChangeStore;
  advisories: AdvisoryStore;
  /** Package versions that are valid at the revision of the stamp. */
  versionCache: StampedCache<PackageVersionDocument>;
  countEvaluated(count: number): void;
}

/** The assessments of package versions. */
export interface Assessed {
  assessments: Map<string, AssessmentSummary>;
  /** Number of new assessments. */
  evaluated: number;
  /** Newly stored package versions, bounded by `maxFresh`; they have no other assessment. */
  fresh: PackageVersionDocument[];
  /** Latest `since` of the assessments with matches; 0 for none. */
  since: number;
}

/** State of assessing one set. */
interface Work {
  state: FeedState;
  assessed: Assessed;
  /** Remaining capacity of `Assessed.fresh`, in versions and matches. */
  roomForFresh: number;
  /** Shared lists of undecided advisories; versions of one package often have the same. */
  undecided: Map<string, string[]>;
}

/** Package versions in one round trip. */
const versionsPerRead = 1000;
/** Characters of their names; a query is limited to 16 MiB. */
const lettersPerRead = 2 * 1024 * 1024;
/** One page is evaluated while another one is written. */
const pagesAtOnce = 3;
/** Limits what one set adds to the cache. */
const maxFresh = 10_000;
/** Packages whose advisories are read in one query. */
const packagesPerRead = 500;
/** Matches evaluated at once: some tens of megabytes. */
const matchesAtOnce = 40_000;

/**
 * Returns the assessments of package versions at the revision of the state. Missing and outdated
 * ones are evaluated and stored. The caller must check afterwards that the revision is still in
 * force: advisories of older revisions are removed.
 */
export async function assessVersions(
  deps: AssessVersionsDeps,
  versions: ReadonlyMap<string, PackageVersion>,
  state: FeedState,
): Promise<Assessed> {
  const assessed: Assessed = { assessments: new Map(), evaluated: 0, fresh: [], since: 0 };
  const work: Work = { state, assessed, roomForFresh: maxFresh, undecided: new Map() };
  const unknown: [string, PackageVersion][] = [];
  for (const entry of versions) {
    const cached = deps.versionCache.get(state.stamp, entry[0]);
    if (!cached || !record(work, cached)) unknown.push(entry);
  }
  const pages = pagesOf(unknown, {
    items: versionsPerRead,
    size: lettersPerRead,
    sizeOf: ([, version]) => version.name.length + version.version.length,
  });
  for (const batch of pagesOf(pages, { items: pagesAtOnce })) {
    const works = batch.map(async (page) => {
      const { missing, outdated } = await findFresh(deps, page, work);
      for (const group of byPackages(missing))
        await evaluateInParts(deps, { group, outdated }, work);
      assessed.evaluated += missing.length;
    });
    await Promise.all(works);
  }
  deps.countEvaluated(assessed.evaluated);
  return assessed;
}

/** Records stored assessments that are valid; returns the other versions. */
async function findFresh(
  deps: AssessVersionsDeps,
  page: [string, PackageVersion][],
  work: Work,
): Promise<{ missing: [string, PackageVersion][]; outdated: ReadonlySet<string> }> {
  const { state, assessed } = work;
  const stored: (StoredSummary & { document: PackageVersionDocument | null })[] = [];
  let room = matchesAtOnce;
  await deps.versions.visit(
    page.map(([id]) => id),
    (document) => {
      room -= document.matches.length + (document.before?.matches.length ?? 0);
      stored.push({ ...summaryOf(document, state), document: room >= 0 ? document : null });
    },
  );
  const changes = await deps.changes.lastChanges([...new Set(stored.map((one) => one.package))]);
  const outdated = new Set<string>();
  for (const { document, ...one } of stored) {
    const changedAt = lastChangeAt(changes.get(one.package), state.revision);
    const isFresh = one.revision >= changedAt && one.rules === MATCHING_RULES_VERSION;
    if (!isFresh || !recordSummary(work, one)) outdated.add(one._id);
    else if (document) deps.versionCache.set(state.stamp, one._id, document);
  }
  return { missing: page.filter(([id]) => !assessed.assessments.has(id)), outdated };
}

interface VersionsToEvaluate {
  group: [string, PackageVersion][];
  /** Those that are stored but outdated. */
  outdated: ReadonlySet<string>;
}

/** Halves the group until its matches fit in memory. */
async function evaluateInParts(
  deps: AssessVersionsDeps,
  { group, outdated }: VersionsToEvaluate,
  work: Work,
): Promise<void> {
  const most = group.length > 1 ? matchesAtOnce : Number.POSITIVE_INFINITY;
  const end = await evaluate(deps, { group, outdated, most }, work).catch((error: unknown) => {
    if (error instanceof TooManyMatches) return 'too many' as const;
    throw error;
  });
  if (end !== 'too many') return;
  const half = Math.ceil(group.length / 2);
  for (const part of [group.slice(0, half), group.slice(half)])
    await evaluateInParts(deps, { group: part, outdated }, work);
}

/** @throws TooManyMatches before anything is stored */
async function evaluate(
  deps: AssessVersionsDeps,
  page: VersionsToEvaluate & { most: number },
  work: Work,
): Promise<void> {
  const { revision, stamp } = work.state;
  const versions = page.group.map(([, version]) => version);
  const assessments = await assessByAdvisories(
    versions,
    (packages, visit) => visitAdvisories(deps, packages, { stamp, revision, visit }),
    page.most,
  );
  const outdated = page.group.flatMap(([id]) => (page.outdated.has(id) ? [id] : []));
  const stored = outdated.length > 0 ? await deps.versions.find(outdated) : [];
  const storedById = new Map(stored.map((document) => [document._id, document]));
  const inserted: PackageVersionDocument[] = [];
  const replaced: PackageVersionDocument[] = [];
  const same: string[] = [];
  for (const [index, [id, version]] of page.group.entries()) {
    const assessment = assessments[index] ?? cleanAssessment;
    const previous = storedById.get(id);
    const document = versionDocument(id, version, { assessment, revision });
    if (previous && sameAssessment(previous, assessment)) {
      same.push(id);
      record(work, { ...document, since: previous.since });
      continue;
    }
    record(work, document);
    (previous ? replaced : inserted).push(document);
  }
  for (const document of await deps.versions.insert(inserted)) {
    work.roomForFresh -= 1 + document.matches.length;
    if (work.roomForFresh >= 0) work.assessed.fresh.push(document);
  }
  await deps.versions.replaceOlder(replaced);
  await deps.versions.confirm(same, revision);
}

/** The fields of a package version that are kept while a set is assessed. */
interface StoredSummary extends Pick<
  PackageVersionDocument,
  '_id' | 'package' | 'revision' | 'rules'
> {
  /** Null when the assessment of the revision is no longer stored. */
  summary: (AssessmentSummary & { since: number }) | null;
}

function summaryOf(document: PackageVersionDocument, { revision }: FeedState): StoredSummary {
  const assessment = assessmentAt(document, revision);
  return {
    _id: document._id,
    package: document.package,
    revision: document.revision,
    rules: document.rules,
    summary: assessment && {
      matches: { length: assessment.matches.length },
      undetermined: assessment.undetermined,
      ...(assessment.undecided && { undecided: assessment.undecided }),
      since: assessment.since,
    },
  };
}

/** False when the assessment of the revision is no longer stored. */
function record(work: Work, document: PackageVersionDocument): boolean {
  return recordSummary(work, summaryOf(document, work.state));
}

function recordSummary({ assessed, undecided }: Work, { _id, summary }: StoredSummary): boolean {
  if (!summary) return false;
  const { since, ...summaryFields } = summary;
  const { matches, undetermined } = summaryFields;
  const isClean = matches.length === 0 && undetermined === null;
  if (summaryFields.undecided) {
    const key = summaryFields.undecided.join('\n');
    const equal = undecided.get(key) ?? summaryFields.undecided;
    undecided.set(key, equal);
    summaryFields.undecided = equal;
  }
  assessed.assessments.set(_id, isClean ? cleanAssessment : summaryFields);
  if (matches.length > 0) assessed.since = Math.max(assessed.since, since);
  return true;
}

/** Groups versions by package, so that advisories are read once. */
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
