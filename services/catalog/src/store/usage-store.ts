import type { Unscanned } from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db, Filter } from 'mongodb';
import type { ServiceDocument, SbomDocument } from './documents';

export const usageIndexes: IndexPlan = {
  services: [{ key: { 'latest.digest': 1, project_id: 1, _id: 1 }, name: 'holders' }],
  sboms: [
    {
      key: { project_id: 1, service_id: 1 },
      partialFilterExpression: { scan_status: 'failed' },
      name: 'failed',
    },
  ],
};

/** A line whose latest SBOM has one of the component sets that were asked for. */
export interface UsingService {
  _id: string;
  project_id: string;
  digest: string;
}

/** Below MongoDB's 16 MiB for one question. */
const digestsPerRead = 20_000;
const recordsPerRead = 1000;
const mostUnscanned = 1000;
const alive = { deleted_at: { $exists: false } };

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Which lines hold a component set now, and of which nobody can say it yet. */
export function createUsageStore(db: Db) {
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');
  /** Written by release 1.0.1; the index has them, and lines without any SBOM, under null. */
  const unfilled: Filter<ServiceDocument> = {
    'latest.digest': null,
    'latest.sbom_id': { $type: 'string' },
  };

  /** Of these records those that are the latest of their line; older ones may be very many. */
  async function countLatest(where: Filter<SbomDocument>): Promise<number> {
    const found = sboms.find(
      { ...where, ...alive },
      { projection: { service_id: 1 }, batchSize: recordsPerRead },
    );
    let count = 0;
    let page: SbomDocument[] = [];
    for await (const record of found) {
      page.push(record);
      if (page.length < recordsPerRead) continue;
      count += await latestAmong(page);
      if (count >= mostUnscanned) return mostUnscanned;
      page = [];
    }
    return Math.min(mostUnscanned, count + (await latestAmong(page)));
  }

  async function latestAmong(records: readonly SbomDocument[]): Promise<number> {
    if (records.length === 0) return 0;
    const heads = await services
      .find({ _id: { $in: [...new Set(records.map(({ service_id }) => service_id))] } })
      .project<{ latest: ServiceDocument['latest'] }>({ 'latest.sbom_id': 1 })
      .toArray();
    const latest = new Set(heads.map((service) => service.latest?.sbom_id));
    return records.filter(({ _id }) => latest.has(_id)).length;
  }

  return {
    /** The lines whose latest SBOM has one of these sets, by project and then by line; answered from the index alone. */
    async servicesUsing(digests: string[], projectId: string | undefined): Promise<UsingService[]> {
      const holders: UsingService[] = [];
      for (let from = 0; from < digests.length; from += digestsPerRead) {
        const some = services.find(
          {
            'latest.digest': { $in: digests.slice(from, from + digestsPerRead) },
            ...(projectId === undefined ? {} : { project_id: projectId }),
          },
          {
            projection: { _id: 1, project_id: 1, 'latest.digest': 1 },
            hint: 'holders',
            batchSize: 5000,
          },
        );
        for await (const { _id, project_id, latest } of some)
          holders.push({ _id, project_id, digest: latest?.digest ?? '' });
      }
      return holders.sort(
        (a, b) => compareText(a.project_id, b.project_id) || compareText(a._id, b._id),
      );
    },

    /** Is there a line that `servicesUsing` cannot find yet? */
    isUnfilled: async (): Promise<boolean> =>
      (await services.findOne(unfilled, { projection: { _id: 1 }, hint: 'holders' })) !== null,

    /** Notes the component sets of latest SBOMs that release 1.0.1 wrote, some of them. Gives how many. */
    async fillDigests(limit: number): Promise<number> {
      const found = await services.find(unfilled).hint('holders').limit(limit).toArray();
      if (found.length === 0) return 0;
      const ids = found.flatMap(({ latest }) => latest?.sbom_id ?? []);
      const records = await sboms
        .find({ _id: { $in: ids } })
        .project<{ _id: string; digest: string }>({ digest: 1 })
        .toArray();
      if (records.length === 0) return 0;
      await services.bulkWrite(
        records.map(({ _id, digest }) => ({
          updateOne: {
            filter: { 'latest.sbom_id': _id, _id: serviceOf(found, _id) },
            update: { $set: { 'latest.digest': digest } },
          },
        })),
        { ordered: false },
      );
      return records.length;
    },

    /** The latest SBOMs that say nothing yet, each count up to a bound. */
    async unscanned(projectId: string | undefined): Promise<Unscanned> {
      const scope = projectId === undefined ? {} : { project_id: projectId };
      const [pending_sboms, failed_sboms] = await Promise.all([
        countLatest({ retry_at: { $exists: true }, scan_status: 'pending', ...scope }),
        countLatest({ scan_status: 'failed', ...scope }),
      ]);
      return { pending_sboms, failed_sboms };
    },
  };
}

function serviceOf(services: readonly ServiceDocument[], sbomId: string): string {
  return services.find(({ latest }) => latest?.sbom_id === sbomId)?._id ?? '';
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
