import { packageKey, type PackageVersion } from '@bomtrail/osv';
import { knownAlready, type IndexPlan } from '@bomtrail/service-kit';
import { type Db } from 'mongodb';
import type { Assessment } from '../domain/assess-version';

/** A package version with what the advisories say about it. */
export interface PackageVersionDocument extends PackageVersion, Assessment {
  /** See `versionIdOf`. */
  _id: string;
  /** Package key. */
  package: string;
  /** The revision at which it was assessed last. */
  revision: number;
  /** It was assessed while a change of its package was under way: its holders may know other matches. */
  unsettled?: true;
}

export const packageVersionIndexes: IndexPlan = { package_versions: [{ key: { package: 1 } }] };

/** Makes the document of an assessed package version. */
export function versionDocument(
  id: string,
  version: PackageVersion,
  assessed: { assessment: Assessment; revision: number; unsettled?: boolean },
): PackageVersionDocument {
  const { ecosystem, suffix, name } = version;
  return {
    _id: id,
    package: packageKey(ecosystem, name),
    ...{ ecosystem, suffix, name, version: version.version },
    ...assessed.assessment,
    revision: assessed.revision,
    ...(assessed.unsettled ? { unsettled: true as const } : {}),
  };
}

export type PackageVersionStore = ReturnType<typeof createPackageVersionStore>;

/** Distinct package versions: each is assessed once for all component sets that hold it. */
export function createPackageVersionStore(db: Db) {
  const versions = db.collection<PackageVersionDocument>('package_versions');

  return {
    find: (ids: string[]): Promise<PackageVersionDocument[]> =>
      versions.find({ _id: { $in: ids } }).toArray(),

    /** All versions of the packages. */
    listByPackages: (packages: string[]) =>
      versions.find({ package: { $in: packages } }, { batchSize: 500 }),

    /** Stores new ones; one that is there already stays, unless it was assessed at an older revision. */
    async insert(documents: PackageVersionDocument[]): Promise<void> {
      if (documents.length === 0) return;
      const known = await knownAlready(versions.insertMany(documents, { ordered: false }));
      await this.replaceOlder([...known].flatMap((index) => documents[index] ?? []));
    },

    /** Replaces those that are held from an older revision. */
    async replaceOlder(documents: PackageVersionDocument[]): Promise<void> {
      if (documents.length === 0) return;
      await versions.bulkWrite(
        documents.map(({ _id, ...replacement }) => ({
          replaceOne: { filter: { _id, revision: { $lt: replacement.revision } }, replacement },
        })),
        { ordered: false },
      );
    },

    /** Notes that the assessment still holds at the revision. */
    async confirm(ids: string[], revision: number): Promise<void> {
      if (ids.length === 0) return;
      await versions.updateMany(
        { _id: { $in: ids }, revision: { $lt: revision } },
        { $set: { revision } },
      );
    },
  };
}
