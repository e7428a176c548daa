import { createBatcher } from '@bomtrail/concurrency';
import type { Collection, Filter } from 'mongodb';
import type { SbomDocument, ServiceDocument } from './documents';
import { newestAfter, type Part } from './newest-first';
import { notDeleted } from './scan-fields';

const maxBatch = 200;

export interface SbomWithService {
  sbom: SbomDocument;
  service: ServiceDocument;
}

/** SBOM records as they are read and deleted. */
export function createSbomRecords(sboms: Collection<SbomDocument>) {
  return {
    /** The existing ones of these SBOMs. */
    async byIds(ids: readonly string[]): Promise<Map<string, SbomDocument>> {
      if (ids.length === 0) return new Map();
      const found = await sboms.find({ _id: { $in: [...new Set(ids)] }, ...notDeleted }).toArray();
      return new Map(found.map((sbom) => [sbom._id, sbom]));
    },

    /**
     * An SBOM with its service, or null if one of the two does not exist. Concurrent calls share
     * one query.
     */
    withService: createBatcher<string, SbomWithService | null>(async (ids) => {
      const found = await sboms
        .aggregate<SbomDocument & { services: ServiceDocument[] }>([
          { $match: { _id: { $in: [...new Set(ids)] }, ...notDeleted } },
          {
            $lookup: {
              from: 'services',
              localField: 'service_id',
              foreignField: '_id',
              as: 'services',
            },
          },
        ])
        .toArray();
      const by = new Map(
        found.flatMap(({ services: [service], ...sbom }) =>
          service ? [[sbom._id, { sbom, service }]] : [],
        ),
      );
      return ids.map((id) => by.get(id) ?? null);
    }, maxBatch),

    /** Includes SBOMs being deleted. */
    byIdOrTombstone: (id: string) => sboms.findOne({ _id: id }),

    /** The versions of SBOMs, including those being deleted; unknown ids are omitted. */
    async versionsOf(ids: string[]): Promise<{ sbom_id: string; version: string | null }[]> {
      const found = await sboms
        .find({ _id: { $in: ids } })
        .project<{ _id: string; version: string | null }>({ version: 1 })
        .toArray();
      return found.map(({ _id, version }) => ({ sbom_id: _id, version }));
    },

    /** SBOMs of a project, newest first, ties by id, except those of the services in `without`. */
    history: (
      projectId: string,
      page: Part & { service_id?: string | undefined },
      without: readonly string[],
    ) =>
      sboms
        .find({ $and: [inHistory(projectId, without, page.service_id), newestAfter(page.after)] })
        .sort({ created_at: -1, _id: 1 })
        .skip(page.skip)
        .limit(page.limit)
        .toArray(),

    /**
     * Expires those of these SBOMs that are not expired, deleted or waiting for a re-scan; returns their
     * number.
     */
    async expire(ids: readonly string[], at: Date): Promise<number> {
      const none = { $exists: false };
      const update = await sboms.updateMany(
        { _id: { $in: [...ids] }, expired: none, rescan: none, ...notDeleted },
        [
          { $set: { expired: { at, sha256: '$sha256', digest: '$digest' } } },
          { $unset: ['sha256', 'digest'] },
        ],
      );
      return update.modifiedCount;
    },

    /** SBOMs of a service by sequence after `afterSeq`, including those being deleted. */
    ofService: (serviceId: string, afterSeq: number, limit: number) =>
      sboms
        .find({ service_id: serviceId, seq: { $gt: afterSeq } })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),

    /**
     * The newest SBOM with one of these component sets in every service that uses one, in pages of
     * up to `perPage`. `missed`: an SBOM was deleted meanwhile and is not returned.
     */
    async *newestPerService(
      digests: readonly string[],
      perPage: number,
    ): AsyncGenerator<{ records: SbomDocument[]; missed: boolean }> {
      const newest = sboms.aggregate<{ newest: { id: string } }>(
        [
          { $match: { digest: { $in: digests }, ...notDeleted } },
          { $group: { _id: '$service_id', newest: { $max: { seq: '$seq', id: '$_id' } } } },
        ],
        { allowDiskUse: true, batchSize: perPage },
      );
      let ids: string[] = [];
      const read = async () => {
        const records = await sboms.find({ _id: { $in: ids }, ...notDeleted }).toArray();
        return { records, missed: records.length < ids.length };
      };
      for await (const service of newest) {
        ids.push(service.newest.id);
        if (ids.length < perPage) continue;
        yield await read();
        ids = [];
      }
      if (ids.length > 0) yield await read();
    },

    /**
     * Completes deletes: the tombstones only wait for ingest to be notified. Returns their number,
     * so that exactly one of several callers succeeds for each.
     */
    async purge(ids: readonly string[], now: Date): Promise<number> {
      const purged = await sboms.updateMany(
        { _id: { $in: [...ids] }, deleted_at: { $exists: true }, removed_at: { $exists: false } },
        { $set: { removed_at: now } },
      );
      return purged.modifiedCount;
    },

    unfinishedDeletes: (before: Date, limit: number) =>
      sboms
        .find({ deleted_at: { $lte: before }, removed_at: { $exists: false } })
        .limit(limit)
        .toArray(),
  };
}

function inHistory(
  projectId: string,
  without: readonly string[],
  serviceId: string | undefined,
): Filter<SbomDocument> {
  const service_id = {
    ...(without.length > 0 ? { $nin: without } : {}),
    ...(serviceId === undefined ? {} : { $eq: serviceId }),
  };
  return {
    project_id: projectId,
    ...(Object.keys(service_id).length > 0 ? { service_id } : {}),
    ...notDeleted,
  };
}
