import { MATCHING_RULES_VERSION, packageKey, type PackageVersion } from '@bomtrail/osv';
import { createBatcher } from '@bomtrail/concurrency';
import { isAlreadyStored, type IndexPlan } from '@bomtrail/mongo';
import { type Db } from 'mongodb';
import type { Assessment } from '../domain/assess-version';

/** The assessment before the last change. */
export interface FormerAssessment extends Assessment {
  /** First revision for which it was valid. */
  since: number;
}

/** A package version with its assessment. */
export interface PackageVersionDocument extends PackageVersion, Assessment {
  /** See `versionIdOf`. */
  _id: string;
  /** Package key. */
  package: string;
  /** Revision of the last assessment. */
  revision: number;
  /** First revision for which the assessment is valid. */
  since: number;
  /** The assessment that was valid until `since`; the previous revision may still be read. */
  before?: FormerAssessment;
  /** `MATCHING_RULES_VERSION` of the assessment. */
  rules: number;
}

/** Ignores case. */
const anyCase = { locale: 'en', strength: 2 } as const;

export const packageVersionIndexes: IndexPlan = {
  package_versions: [
    { key: { package: 1 } },
    { key: { name: 1 }, name: 'name_any_case', collation: anyCase },
  ],
};

/** Builds the document of an assessed package version. */
export function versionDocument(
  id: string,
  version: PackageVersion,
  assessed: { assessment: Assessment; revision: number },
): PackageVersionDocument {
  const { ecosystem, suffix, name } = version;
  return {
    _id: id,
    package: packageKey(ecosystem, name),
    ecosystem,
    suffix,
    name,
    version: version.version,
    ...assessed.assessment,
    revision: assessed.revision,
    since: assessed.revision,
    rules: MATCHING_RULES_VERSION,
  };
}

/** The assessment that is valid at a revision, null when it is no longer stored. */
export function assessmentAt(
  document: Pick<PackageVersionDocument, 'since' | 'before' | keyof Assessment>,
  revision: number,
): (Assessment & { since: number }) | null {
  if (document.since <= revision) return document;
  return document.before && document.before.since <= revision ? document.before : null;
}

/** Concurrent scans whose queries or inserts share a round trip. */
const scansPerRead = 16;
const scansPerWrite = 64;
/** Documents of one batch, which is limited to 16 MiB. */
const versionsPerBatch = 1_000;

interface Visit {
  ids: readonly string[];
  see: (document: PackageVersionDocument) => void;
}

export type PackageVersionStore = ReturnType<typeof createPackageVersionStore>;

/** Package versions with their assessments, as far as assessing some needs them. */
export interface AssessedVersions {
  /** The documents of those ids that exist. */
  find(ids: string[]): Promise<PackageVersionDocument[]>;
  /** Visits the documents of the ids one by one; all their matches may not fit in memory. */
  visit(ids: string[], see: (document: PackageVersionDocument) => void): Promise<void>;
  /** Adds new documents; those that exist stay unless they are of an older revision. Returns the new ones. */
  insert(documents: PackageVersionDocument[]): Promise<PackageVersionDocument[]>;
  /** Replaces documents of older revisions. */
  replaceOlder(documents: PackageVersionDocument[]): Promise<void>;
  /** Records that assessments are still valid at the revision, by the current rules. */
  confirm(ids: string[], revision: number): Promise<void>;
}

/** Distinct package versions, each assessed once for all component sets. */
export function createPackageVersionStore(db: Db) {
  const versions = db.collection<PackageVersionDocument>('package_versions');

  const find = createBatcher<string[], PackageVersionDocument[]>(async (queries) => {
    const ids = [...new Set(queries.flat())];
    const found = await versions.find({ _id: { $in: ids } }).toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return queries.map((some) => some.flatMap((id) => byId.get(id) ?? []));
  }, scansPerRead);

  const visitAll = createBatcher<Visit, void>(async (visits) => {
    const callers = new Map<string, Visit['see'][]>();
    for (const { ids, see } of visits)
      for (const id of ids) callers.set(id, [...(callers.get(id) ?? []), see]);
    const found = versions.find(
      { _id: { $in: [...callers.keys()] } },
      { batchSize: versionsPerBatch },
    );
    for await (const document of found)
      for (const see of callers.get(document._id) ?? []) see(document);
    return visits.map(() => undefined);
  }, scansPerRead);

  const insert = createBatcher<PackageVersionDocument[], PackageVersionDocument[]>(
    async (batches) => {
      const all = latestOf(batches.flat());
      const known = await isAlreadyStored(versions.insertMany(all, { ordered: false }));
      await replaceOlder([...known].flatMap((index) => all[index] ?? []));
      const fresh = new Map(
        all.flatMap((one, index) => (known.has(index) ? [] : [[one._id, one.revision] as const])),
      );
      return batches.map((some) => some.filter((one) => fresh.get(one._id) === one.revision));
    },
    scansPerWrite,
  );

  async function replaceOlder(documents: PackageVersionDocument[]): Promise<void> {
    if (documents.length === 0) return;
    await versions.bulkWrite(
      documents.map(({ _id, ...replacement }) => ({
        updateOne: {
          filter: { _id, revision: { $lt: replacement.revision } },
          update: [{ $replaceWith: replacementOf(_id, replacement) }],
        },
      })),
      { ordered: false },
    );
  }

  return {
    find,

    /** Visits the documents of the ids one by one; all their matches may not fit in memory. */
    visit: async (ids: string[], see: (document: PackageVersionDocument) => void): Promise<void> =>
      visitAll({ ids, see }),

    /** All versions of the packages. */
    listByPackages: (packages: string[]) =>
      versions.find({ package: { $in: packages } }, { batchSize: 500 }),

    /** Package versions with one of the names, ignoring case, of any ecosystem. */
    findByNames: (names: string[]): Promise<PackageVersionDocument[]> =>
      versions.find({ name: { $in: names } }, { collation: anyCase }).toArray(),

    /**
     * Inserts documents; existing ones stay unless they were assessed at an older revision. Returns
     * the new ones.
     */
    insert: async (documents: PackageVersionDocument[]): Promise<PackageVersionDocument[]> =>
      documents.length === 0 ? [] : insert(documents),

    /** Replaces documents of older revisions. The former assessment is stored in `before`. */
    replaceOlder,

    /** Records that assessments are still valid at the revision, by the current rules. */
    async confirm(ids: string[], revision: number): Promise<void> {
      if (ids.length === 0) return;
      await versions.updateMany(
        { _id: { $in: ids }, revision: { $lt: revision } },
        { $set: { revision, rules: MATCHING_RULES_VERSION } },
      );
    },

    /** Filters the packages that have stored versions. */
    listKnownPackages: (packages: string[]): Promise<string[]> =>
      versions.distinct('package', { package: { $in: packages } }),
  };
}

/** The latest assessment of each package version. */
function latestOf(documents: readonly PackageVersionDocument[]): PackageVersionDocument[] {
  const latest = new Map<string, PackageVersionDocument>();
  for (const one of documents)
    if ((latest.get(one._id)?.revision ?? -1) < one.revision) latest.set(one._id, one);
  return [...latest.values()];
}

/** Computed from the document as stored at the time of the write. */
function replacementOf(id: string, replacement: Omit<PackageVersionDocument, '_id'>) {
  return {
    $mergeObjects: [
      { $literal: { _id: id, ...replacement } },
      {
        before: {
          matches: '$matches',
          undetermined: '$undetermined',
          // Absent fields stay absent.
          undecided: '$undecided',
          since: '$since',
        },
      },
    ],
  };
}
