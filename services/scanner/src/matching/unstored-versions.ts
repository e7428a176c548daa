import type { PackageVersion } from '@bomtrail/osv';
import type { FeedState } from '../feeds/domain/feed-state';
import { assessByAdvisories } from './assess-by-advisories';
import { cleanAssessment } from './domain/assess-version';
import {
  versionDocument,
  type AssessedVersions,
  type PackageVersionDocument,
} from './store/package-version-store';
import { visitAdvisories, type VisitAdvisoriesDeps } from './visit-advisories';

export interface UnstoredVersionsDeps extends VisitAdvisoriesDeps {
  versions: Pick<AssessedVersions, 'find' | 'visit'>;
}

/** New package versions and matches kept in memory, some megabytes; others are assessed again. */
const maxKept = 20_000;

/**
 * Package versions for components that are stored nowhere: reads what is stored, and keeps new
 * assessments in memory, where there is room. Nothing is written: an assessment in the store would
 * be kept up to date for good, for a document that nobody stored.
 *
 * @param versions the package versions of the components, by id
 * @param at `state`: the revision of all new assessments; `gone`: every call fails once it aborts
 */
export function createUnstoredVersions(
  deps: UnstoredVersionsDeps,
  versions: ReadonlyMap<string, PackageVersion>,
  { state, gone }: { state: FeedState; gone: AbortSignal },
): AssessedVersions {
  const { stamp, revision } = state;
  const kept = new Map<string, PackageVersionDocument>();
  /** Stored, but assessed anew. */
  const outdated = new Set<string>();
  let room = maxKept;

  function keep(documents: readonly PackageVersionDocument[]): void {
    for (const one of documents) {
      room -= 1 + one.matches.length;
      if (room < 0) return;
      kept.set(one._id, one);
    }
  }

  async function assess(ids: readonly string[]): Promise<PackageVersionDocument[]> {
    const known = ids.flatMap((id) => {
      const version = versions.get(id);
      return version ? [{ id, version }] : [];
    });
    const assessments = await assessByAdvisories(
      known.map(({ version }) => version),
      (packages, visit) => visitAdvisories(deps, packages, { stamp, revision, visit }),
    );
    return known.map(({ id, version }, index) => {
      const assessment = assessments[index] ?? cleanAssessment;
      return versionDocument(id, version, { assessment, revision });
    });
  }

  return {
    async visit(ids, see) {
      gone.throwIfAborted();
      return deps.versions.visit(ids, see);
    },

    async find(ids) {
      gone.throwIfAborted();
      const inMemory = ids.flatMap((id) => kept.get(id) ?? []);
      const others = ids.filter((id) => !kept.has(id));
      const valid = others.filter((id) => !outdated.has(id));
      const stored = valid.length > 0 ? await deps.versions.find(valid) : [];
      const isStored = new Set(stored.map(({ _id }) => _id));
      const missing = others.filter((id) => !isStored.has(id));
      const assessed = missing.length > 0 ? await assess(missing) : [];
      return [...inMemory, ...stored, ...assessed];
    },

    async insert(documents) {
      keep(documents);
      return [];
    },

    async replaceOlder(documents) {
      for (const { _id } of documents) outdated.add(_id);
      keep(documents);
    },

    async confirm() {},
  };
}
