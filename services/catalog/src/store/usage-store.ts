import type { ProjectScope, Unscanned } from '@bomtrail/messages';
import { oneOrSeveral, type IndexPlan } from '@bomtrail/mongo';
import type { Db, Filter } from 'mongodb';
import type { ServiceDocument, SbomDocument } from './documents';

export const usageIndexes: IndexPlan = {
  services: [{ key: { 'latest.digest': 1, project_id: 1, _id: 1 }, name: 'latest_digest' }],
  sboms: [
    {
      key: { project_id: 1, service_id: 1 },
      partialFilterExpression: { scan_status: 'failed' },
      name: 'failed',
    },
  ],
};

/** A service whose latest SBOM has one of the queried component sets. */
export interface UsingService {
  _id: string;
  project_id: string;
  digest: string;
}

/** Keeps a query below MongoDB's 16 MiB. */
const digestsPerRead = 20_000;
const recordsPerRead = 1000;
const maxUnscanned = 1000;
const notDeleted = { deleted_at: { $exists: false } };

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Which services use a component set, and which are not scanned. */
export function createUsageStore(db: Db) {
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');
  /** Number of these records that are the latest of their service; older ones may be very many. */
  async function countLatest(where: Filter<SbomDocument>): Promise<number> {
    const found = sboms.find(
      { ...where, ...notDeleted },
      { projection: { service_id: 1 }, batchSize: recordsPerRead },
    );
    let count = 0;
    let page: SbomDocument[] = [];
    for await (const record of found) {
      page.push(record);
      if (page.length < recordsPerRead) continue;
      count += await latestAmong(page);
      if (count >= maxUnscanned) return maxUnscanned;
      page = [];
    }
    return Math.min(maxUnscanned, count + (await latestAmong(page)));
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

  /** Latest SBOMs whose content retention dropped before all later ones were deleted, up to a bound. */
  const countExpired = (within: ProjectScope | undefined): Promise<number> =>
    services.countDocuments(
      { 'latest.digest': '', ...inScope(within) },
      { hint: 'latest_digest', limit: maxUnscanned },
    );

  return {
    /**
     * Services whose latest SBOM has one of these sets, by project, then by service; read from the
     * index alone.
     */
    async servicesUsing(
      digests: string[],
      within: ProjectScope | undefined,
    ): Promise<UsingService[]> {
      const using: UsingService[] = [];
      for (let from = 0; from < digests.length; from += digestsPerRead) {
        const some = services.find(
          {
            'latest.digest': { $in: digests.slice(from, from + digestsPerRead) },
            ...inScope(within),
          },
          {
            projection: { _id: 1, project_id: 1, 'latest.digest': 1 },
            hint: 'latest_digest',
            batchSize: 5000,
          },
        );
        for await (const { _id, project_id, latest } of some)
          using.push({ _id, project_id, digest: latest?.digest ?? '' });
      }
      return using.sort(
        (a, b) => compareText(a.project_id, b.project_id) || compareText(a._id, b._id),
      );
    },

    countExpired,

    /** Counts latest SBOMs that are not scanned or expired, each up to a bound. */
    async unscanned(within: ProjectScope | undefined): Promise<Unscanned> {
      const scope = inScope(within);
      const [pending_sboms, failed, expired] = await Promise.all([
        countLatest({ retry_at: { $exists: true }, scan_status: 'pending', ...scope }),
        countLatest({ scan_status: 'failed', expired: { $exists: false }, ...scope }),
        countExpired(within),
      ]);
      return { pending_sboms, failed_sboms: Math.min(maxUnscanned, failed + expired) };
    },
  };
}

function inScope(within: ProjectScope | undefined) {
  return within === undefined ? {} : { project_id: oneOrSeveral(within) };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
