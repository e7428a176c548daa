import type { ClientSession, Db, Filter } from 'mongodb';
import type { SbomVersion } from '../../tracking/domain/types';
import type { SbomVersionDocument } from '../../tracking/store/documents';
import { toSbomVersions } from '../../tracking/store/service-reads';
import { grouped } from '../../tracking/domain/grouped';

/** A sequence number of a service. */
export interface VersionPoint {
  service_id: string;
  seq: number;
}

/** Finds single SBOM versions of many services, with one query each, however many versions there are. */
export function createVersionPoints(db: Db) {
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');

  return {
    /** The versions at these points. */
    async at(points: readonly VersionPoint[], session?: ClientSession): Promise<Found> {
      if (points.length === 0) return found([]);
      const documents = await sbomVersions.find(atPoints(points), { session }).toArray();
      return found(
        documents.flatMap((document) =>
          toSbomVersions(document).map((read): [VersionPoint, SbomVersion] => [
            { service_id: document.service_id, seq: read.seq },
            read,
          ]),
        ),
      );
    },

    /** The next existing version after each point that has a version. */
    async after(points: readonly VersionPoint[], session?: ClientSession): Promise<Found> {
      if (points.length === 0) return found([]);
      const pendingUpdates = {
        $expr: { $and: [{ $eq: ['$service_id', '$$service'] }, { $gt: ['$seq', '$$seq'] }] },
      };
      const pairs = await sbomVersions
        .aggregate<{ service_id: string; seq: number; next: SbomVersionDocument[] }>(
          [
            { $match: atPoints(points) },
            {
              $lookup: {
                from: sbomVersions.collectionName,
                let: { service: '$service_id', seq: '$seq' },
                pipeline: [
                  { $match: pendingUpdates },
                  { $sort: { service_id: 1, seq: 1 } },
                  { $limit: 1 },
                ],
                as: 'next',
              },
            },
            { $project: { service_id: 1, seq: 1, next: 1 } },
          ],
          { session },
        )
        .toArray();
      return found(
        pairs.flatMap(({ service_id, seq, next }) =>
          next
            .flatMap(toSbomVersions)
            .map((sbomVersion): [VersionPoint, SbomVersion] => [{ service_id, seq }, sbomVersion]),
        ),
      );
    },
  };
}

/** Looks up the version found for a point. */
export type Found = (point: VersionPoint) => SbomVersion | undefined;

function found(pairs: [VersionPoint, SbomVersion][]): Found {
  const byKey = new Map(pairs.map(([point, sbomVersion]) => [keyOf(point), sbomVersion]));
  return (point) => byKey.get(keyOf(point));
}

function keyOf({ service_id, seq }: VersionPoint): string {
  return `${service_id} ${seq}`;
}

function atPoints(points: readonly VersionPoint[]): Filter<SbomVersionDocument> {
  const byService = grouped(points, ({ service_id }) => service_id);
  return {
    $or: [...byService].map(([service_id, own]) => {
      return { service_id, seq: { $in: own.map(({ seq }) => seq) } };
    }),
  };
}
