import { AppError } from '@bomtrail/messages';
import { assessVersion, sameAssessment } from '../domain/assess-version';
import { summariseSet } from '../domain/component-set';
import { pagesOf } from '../domain/pages';
import { isSettled, type FeedState } from '../store/feed-state-store';
import type { PackageChange } from '../store/package-change-store';
import { versionDocument, type PackageVersionDocument } from '../store/package-version-store';
import { assessVersions, indexByPackage } from './assess-versions';
import { withPlacedSet } from './place-components';
import type { ScanDeps } from './scan-component-set';

/** What the settling of one page of changes moved. */
interface Moved {
  /** Package versions whose findings are not what they were. */
  versions: string[];
  /** Of these: whether there are matches at all, or why there cannot be, may have changed too. */
  turned: string[];
}

const changesPerPage = 100;
const versionsPerWrite = 500;
const setsPerPage = 200;

/**
 * Evaluates the package versions of changed packages again, and nothing else; then the component sets
 * that hold one of which the findings changed. A change is settled when all of this is stored, so a
 * crash repeats it; what was done before only costs its time again. The same goes for `signal`.
 *
 * Gives the number of packages.
 */
export async function settleChanges(deps: ScanDeps, signal: AbortSignal): Promise<number> {
  let settled = 0;
  for (;;) {
    const state = await deps.feed.read();
    if (isSettled(state)) return settled;
    for (;;) {
      signal.throwIfAborted();
      const page = await deps.changes.nextPending(state.revision, changesPerPage);
      if (page.length === 0) break;
      await settlePage(deps, page, { state, signal });
      settled += page.length;
    }
    await deps.feed.markSettled(state.revision);
  }
}

async function settlePage(
  deps: ScanDeps,
  page: PackageChange[],
  at: { state: FeedState; signal: AbortSignal },
): Promise<void> {
  const { state, signal } = at;
  const { versions, turned } = await evaluateAgain(deps, page, state);
  if (versions.length > 0) {
    const holders = await deps.sets.listHolders(versions);
    const turnedHolders = new Set(turned.length > 0 ? await deps.sets.listHolders(turned) : []);
    for (const digests of pagesOf(holders, {
      items: setsPerPage,
    })) {
      const older = await deps.sets.holdAt(digests, state.revision);
      for (const digest of older.filter((one) => turnedHolders.has(one))) {
        signal.throwIfAborted();
        await summariseAgain(deps, digest, state);
      }
      const others = older.filter((one) => !turnedHolders.has(one));
      await deps.sets.markChanged(others, state.revision);
    }
  }
  await deps.changes.settle(page);
}

/** Evaluates every version of the packages at the revision and stores what changed. */
async function evaluateAgain(
  deps: ScanDeps,
  page: PackageChange[],
  state: FeedState,
): Promise<Moved> {
  const packages = page.map(({ _id }) => _id);
  const changedAt = new Map(page.map(({ _id, revision }) => [_id, revision]));
  const advisories = indexByPackage(await deps.advisories.findByPackages(packages));
  const moved: Moved = { versions: [], turned: [] };
  let replaced: PackageVersionDocument[] = [];
  let same: string[] = [];
  const flush = async (): Promise<void> => {
    await deps.versions.replaceOlder(replaced);
    await deps.versions.confirm(same, state.revision);
    deps.countEvaluated(replaced.length + same.length);
    replaced = [];
    same = [];
  };
  for await (const before of deps.versions.listByPackages(packages)) {
    const known = advisories.get(before.package) ?? [];
    const assessment = assessVersion(before, known);
    const changes = new Map(known.map((one) => [one.record.id, one.changed_revision]));
    // Whoever assessed it in between, or began this before a crash, may have left its holders behind.
    const unsure = before.unsettled || before.revision >= (changedAt.get(before.package) ?? 0);
    const differs = unsure || !sameAssessment(before, assessment);
    if (differs || assessment.matches.some(({ id }) => (changes.get(id) ?? 0) > before.revision)) {
      moved.versions.push(before._id);
      if (unsure || isTurned(before, assessment)) moved.turned.push(before._id);
    }
    if (differs)
      replaced.push(versionDocument(before._id, before, { assessment, revision: state.revision }));
    else same.push(before._id);
    if (replaced.length + same.length >= versionsPerWrite) await flush();
  }
  await flush();
  return moved;
}

function isTurned(
  before: PackageVersionDocument,
  after: Pick<PackageVersionDocument, 'matches' | 'undetermined'>,
): boolean {
  return (
    before.undetermined !== after.undetermined ||
    before.matches.length > 0 !== after.matches.length > 0
  );
}

/** Takes the hits and counts of a set that was evaluated before anew. */
async function summariseAgain(deps: ScanDeps, digest: string, state: FeedState): Promise<void> {
  try {
    await withPlacedSet(deps, digest, async (set) => {
      const { assessments } = await assessVersions(deps, set.versions, state);
      const summary = summariseSet(set, assessments);
      await deps.sets.save(digest, summary, { revision: state.revision, change: true });
      deps.countSet('change', summary);
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'sbom_not_found') throw error;
    // Nothing refers to the set any more; a later upload of the same components evaluates it anew.
    await deps.sets.remove(digest);
  }
}
