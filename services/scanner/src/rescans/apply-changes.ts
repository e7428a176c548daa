import { createFairSlots } from '@bomtrail/concurrency';
import { cleanAssessment, sameAssessment, sameUndecided } from '../matching/domain/assess-version';
import { pagesOf } from '../domain/pages';
import { isApplied, type FeedState } from '../feeds/domain/feed-state';
import type { StoredAdvisory } from '../feeds/store/advisory-documents';
import type { PackageChange } from '../feeds/store/package-change-store';
import {
  assessmentAt,
  versionDocument,
  type PackageVersionDocument,
} from '../matching/store/package-version-store';
import { assessByAdvisories } from '../matching/assess-by-advisories';
import { readMatchedWith, recordChangedPackages } from './changed-packages';
import { evaluateAgain, type ScanDeps } from '../matching/scan-component-set';

/** Result of applying one page of changes. */
interface Moved {
  /** Package versions whose findings changed. */
  versions: string[];
  /** Those that gained or lost all matches, or whose undetermined state changed. */
  outcomeChanged: string[];
}

interface At {
  state: FeedState;
  signal: AbortSignal;
}

const changesPerPage = 500;
/** Packages whose versions and advisories are read in one query. */
const packagesPerRead = 50;
const versionsPerPage = 500;
const setsPerPage = 200;
/** Sets evaluated at once; they share writes. Large ones wait for each other, to bound memory. */
const setsAtOnce = 32;

/**
 * Evaluates the versions of changed packages, then the component sets that contain a version with
 * changed findings. A change counts as applied when all of this is stored; after a crash or abort
 * it is repeated. Superseded advisories are removed afterwards.
 *
 * @returns the number of packages
 */
export async function applyChanges(deps: ScanDeps, signal: AbortSignal): Promise<number> {
  let applied = 0;
  for (;;) {
    const state = await deps.feed.read();
    if (isApplied(state)) {
      await deps.advisories.removeSuperseded(state.applied_revision);
      return applied;
    }
    for (;;) {
      signal.throwIfAborted();
      const page = await deps.changes.nextPending(state.revision, changesPerPage);
      if (page.length === 0) break;
      await applyPage(deps, page, { state, signal });
      applied += page.length;
    }
    await deps.feed.markApplied(state.revision);
  }
}

async function applyPage(deps: ScanDeps, page: PackageChange[], at: At): Promise<void> {
  const packages = await deps.versions.listKnownPackages(page.map(({ _id }) => _id));
  const moved: Moved = { versions: [], outcomeChanged: [] };
  for (const some of pagesOf(packages, { items: packagesPerRead }))
    await evaluatePackages(deps, some, { ...at, moved });
  if (moved.versions.length > 0) await applyToSets(deps, moved, at);
  await deps.changes.markApplied(page);
}

async function applyToSets(
  deps: ScanDeps,
  { versions, outcomeChanged }: Moved,
  { state, signal }: At,
): Promise<void> {
  const affectedSets = await deps.sets.listSetsContaining(versions);
  const outcomeSets = new Set(
    outcomeChanged.length > 0 ? await deps.sets.listSetsContaining(outcomeChanged) : [],
  );
  const movedVersions = new Set(versions);
  for (const digests of pagesOf(affectedSets, { items: setsPerPage })) {
    const older = await deps.sets.beginChange(digests, state.revision);
    // The other sets have further changes, so their packages are not narrowed down.
    const simple = older.filter(({ isCurrent, isUnpublished }) => isCurrent && !isUnpublished);
    const simpleDigests = simple.map(({ digest }) => digest);
    const before = await readMatchedWith(deps, simpleDigests, movedVersions);
    await deps.sets.markChanged(
      older.map(({ digest }) => digest),
      state.revision,
      state.in_force_at,
    );
    const again = older.filter(({ digest, isCurrent }) => !isCurrent || outcomeSets.has(digest));
    const inSlot = createFairSlots(setsAtOnce);
    const evaluate = async (digest: string): Promise<void> => {
      signal.throwIfAborted();
      await evaluateAgain(deps, digest, 'change').catch((error: Error) => {
        // One failing set blocks the revision, so the log must name it.
        throw new Error(`the component set ${digest}: ${error.message}`, { cause: error });
      });
    };
    const done = await Promise.allSettled(
      again.map(({ digest }) => inSlot('sets', () => evaluate(digest))),
    );
    for (const one of done) if (one.status === 'rejected') throw one.reason;
    const outcomeDigests = simpleDigests.filter((digest) => outcomeSets.has(digest));
    const after = await readMatchedWith(deps, outcomeDigests, movedVersions);
    await recordChangedPackages(deps, { before, after }, state.revision);
  }
}

/** Evaluates all versions of the packages at the revision and stores the changes. */
async function evaluatePackages(
  deps: ScanDeps,
  packages: string[],
  at: At & { moved: Moved },
): Promise<void> {
  let page: PackageVersionDocument[] = [];
  for await (const document of deps.versions.listByPackages(packages)) {
    page.push(document);
    if (page.length < versionsPerPage) continue;
    await evaluatePage(deps, page, at);
    page = [];
  }
  if (page.length > 0) await evaluatePage(deps, page, at);
}

async function evaluatePage(
  deps: ScanDeps,
  page: readonly PackageVersionDocument[],
  { state, moved }: At & { moved: Moved },
): Promise<void> {
  const { revision, applied_revision: applied } = state;
  const changed = new Set<string>();
  const onAdvisory = ({ changed_revision, record }: StoredAdvisory): void => {
    if (changed_revision > applied) changed.add(record.id);
  };
  const assessments = await assessByAdvisories(page, (packages, visit) =>
    deps.advisories.visitByPackages(packages, revision, (advisory) => {
      onAdvisory(advisory);
      visit(advisory);
    }),
  );
  const replaced: PackageVersionDocument[] = [];
  const same: string[] = [];
  for (const [index, document] of page.entries()) {
    const assessment = assessments[index] ?? cleanAssessment;
    // The assessment that sets were evaluated with; a scan or an aborted run may have replaced it.
    const before = assessmentAt(document, applied);
    const differs = before !== null && !sameAssessment(before, assessment);
    if (differs || (before && assessment.matches.some(({ id }) => changed.has(id))))
      moved.versions.push(document._id);
    if (differs && isOutcomeChanged(before, assessment)) moved.outcomeChanged.push(document._id);
    if (sameAssessment(document, assessment)) same.push(document._id);
    else replaced.push(versionDocument(document._id, document, { assessment, revision }));
  }
  await deps.versions.replaceOlder(replaced);
  await deps.versions.confirm(same, revision);
  deps.countEvaluated(page.length);
}

function isOutcomeChanged(
  before: Pick<PackageVersionDocument, 'matches' | 'undetermined' | 'undecided'>,
  after: Pick<PackageVersionDocument, 'matches' | 'undetermined' | 'undecided'>,
): boolean {
  return (
    !sameUndecided(before, after) ||
    before.undetermined !== after.undetermined ||
    before.matches.length > 0 !== after.matches.length > 0
  );
}
