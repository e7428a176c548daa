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

export type SbomState = Pick<SbomDocument, '_id' | 'scan_status' | 'digest' | 'expired'>;

/** Reads SBOM records. */
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

    /**
     * The states of the scans and contents of SBOMs, including those being deleted; unknown ids are
     * omitted.
     */
    async statesOf(ids: readonly string[]): Promise<Map<string, SbomState>> {
      if (ids.length === 0) return new Map();
      const found = await sboms
        .find({ _id: { $in: [...ids] } })
        .project<SbomState>({ scan_status: 1, digest: 1, expired: 1 })
        .toArray();
      return new Map(found.map((state) => [state._id, state]));
    },

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

    /** SBOMs of a service by sequence after `afterSeq`, including those being deleted. */
    ofService: (serviceId: string, afterSeq: number, limit: number) =>
      sboms
        .find({ service_id: serviceId, seq: { $gt: afterSeq } })
        .sort({ seq: 1 })
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
