import { MATCHING_RULES_VERSION, packageKey, type PackageVersion } from '@bomtrail/osv';
import { createBatcher, isAlreadyStored, type IndexPlan } from '@bomtrail/service-kit';
import { type Db } from 'mongodb';
import type { Assessment } from '../domain/assess-version';

/** What was right about a package version before its assessment changed last. */
export interface FormerAssessment extends Assessment {
  /** The revision from which on it was right. */
  since: number;
}

/** A package version with what the advisories say about it. */
export interface PackageVersionDocument extends PackageVersion, Assessment {
  /** See `versionIdOf`. */
  _id: string;
  /** Package key. */
  package: string;
  /** The revision at which it was assessed last. */
  revision: number;
  /** First revision for which the assessment is right. */
  since: number;
  /** The assessment that was right until `since`: the revision before may still be read. */
  before?: FormerAssessment;
  /** `MATCHING_RULES_VERSION` of the assessment. */
  rules: number;
}

/** Case does not count. */
const anyCase = { locale: 'en', strength: 2 } as const;

export const packageVersionIndexes: IndexPlan = {
  package_versions: [
    { key: { package: 1 } },
    { key: { name: 1 }, name: 'name_any_case', collation: anyCase },
  ],
};

/** Makes the document of an assessed package version. */
export function versionDocument(
  id: string,
  version: PackageVersion,
  assessed: { assessment: Assessment; revision: number },
): PackageVersionDocument {
  const { ecosystem, suffix, name } = version;
  return {
    _id: id,
    package: packageKey(ecosystem, name),
    ...{ ecosystem, suffix, name, version: version.version },
    ...assessed.assessment,
    revision: assessed.revision,
    since: assessed.revision,
    rules: MATCHING_RULES_VERSION,
  };
}

/** What is right about a package version at a revision, null when that is not known any more. */
export function assessmentAt(
  document: Pick<PackageVersionDocument, 'since' | 'before' | keyof Assessment>,
  revision: number,
): (Assessment & { since: number }) | null {
  if (document.since <= revision) return document;
  return document.before && document.before.since <= revision ? document.before : null;
}

/** Scans of one moment whose questions, or new package versions, share a round trip. */
const scansPerRead = 16;
const scansPerWrite = 64;
/** Documents of one answer, which ends at 16 MiB in any case. */
const versionsPerBatch = 1_000;

interface Visit {
  ids: readonly string[];
  see: (document: PackageVersionDocument) => void;
}

export type PackageVersionStore = ReturnType<typeof createPackageVersionStore>;

/** Distinct package versions: each is assessed once for all component sets that hold it. */
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

    /** Hands over those of these ids, one after the other: together their matches may be very many. */
    visit: async (ids: string[], see: (document: PackageVersionDocument) => void): Promise<void> =>
      visitAll({ ids, see }),

    /** All versions of the packages. */
    listByPackages: (packages: string[]) =>
      versions.find({ package: { $in: packages } }, { batchSize: 500 }),

    /** Those of these names, in any case, in whatever ecosystem. */
    findByNames: (names: string[]): Promise<PackageVersionDocument[]> =>
      versions.find({ name: { $in: names } }, { collation: anyCase }).toArray(),

    /**
     * Stores new ones; one that is there already stays, unless it was assessed at an older revision.
     * Gives those that were not there.
     */
    insert: async (documents: PackageVersionDocument[]): Promise<PackageVersionDocument[]> =>
      documents.length === 0 ? [] : insert(documents),

    /**
     * Replaces those that are held from an older revision. What they said until then is kept beside
     * it: whoever reads at the revision before finds that.
     */
    replaceOlder,

    /** Notes that the assessment still holds at the revision, by the rules of today. */
    async confirm(ids: string[], revision: number): Promise<void> {
      if (ids.length === 0) return;
      await versions.updateMany(
        { _id: { $in: ids }, revision: { $lt: revision } },
        { $set: { revision, rules: MATCHING_RULES_VERSION } },
      );
    },

    /** Those of the packages that any version is known of. */
    listKnownPackages: (packages: string[]): Promise<string[]> =>
      versions.distinct('package', { package: { $in: packages } }),
  };
}

/** Each package version once, as it was assessed at the latest revision. */
function latestOf(documents: readonly PackageVersionDocument[]): PackageVersionDocument[] {
  const latest = new Map<string, PackageVersionDocument>();
  for (const one of documents)
    if ((latest.get(one._id)?.revision ?? -1) < one.revision) latest.set(one._id, one);
  return [...latest.values()];
}

/** Drawn from the stored document at the moment of the write. */
function replacementOf(id: string, replacement: Omit<PackageVersionDocument, '_id'>) {
  return {
    $mergeObjects: [
      { $literal: { _id: id, ...replacement } },
      {
        before: {
          matches: '$matches',
          undetermined: '$undetermined',
          // Absent stays absent.
          undecided: '$undecided',
          since: '$since',
        },
      },
    ],
  };
}
