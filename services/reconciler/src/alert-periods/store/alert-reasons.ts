import { severities, type AlertThreshold } from '@bomtrail/messages';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byDetails,
  byService,
  detailsIndex,
  type IndexKey,
} from '../../tracking/store/list-indexes';
import { severitiesFrom } from '../domain/alert-periods';
import type { RatedTitle, RiskReasons } from '../ports';

/** Conditions on tracked vulnerabilities, with the index to read them along. */
export type Selected = Filter<TrackedVulnerabilityDocument> & { hint: IndexKey };

/** With more details than this, all open vulnerabilities are read instead. */
const maxDetails = 20_000;
/** Up to this many vulnerabilities of a project are read by their details and sorted. */
const maxSorted = 5_000;

/** Finds the vulnerabilities that alert rules have a reason to report. Reads no cached values. */
export function createReasonReader(db: Db) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  async function idsAlong(
    where: Filter<DetailsDocument>,
    hint: IndexKey,
    session: ClientSession,
  ): Promise<string[]> {
    const open = { has_open: true, severity: { $in: [...severities] } };
    const found = await details
      .find({ ...open, ...where }, { session, hint })
      .limit(maxDetails + 1)
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** The details with a risk reason; null: too many. */
  async function riskDetails(
    { kev, min_epss }: RiskReasons,
    session: ClientSession,
  ): Promise<string[] | null> {
    const exploited = kev
      ? await idsAlong({ kev_sort: { $gt: '' } }, detailsIndex('kev_sort', -1), session)
      : [];
    const likely =
      min_epss === null
        ? []
        : await idsAlong(
            { epss_score: { $gte: min_epss } },
            detailsIndex('epss_score', -1),
            session,
          );
    const ids = [...new Set([...exploited, ...likely])];
    return ids.length > maxDetails ? null : ids;
  }

  /** Whether a project has few open vulnerabilities with these details. */
  async function areFew(
    project_id: string,
    ids: readonly string[],
    session: ClientSession,
  ): Promise<boolean> {
    const where = { details_id: { $in: [...ids] }, status: 'open' as const, project_id };
    const limit = maxSorted + 1;
    const count = await vulnerabilities.countDocuments(where, { session, limit, hint: byDetails });
    return count <= maxSorted;
  }

  return {
    /** The conditions on vulnerabilities with a reason; null: there are none. */
    async select(
      query: RiskReasons & { project_id: string; threshold: AlertThreshold | null },
      session: ClientSession,
    ): Promise<Selected | null> {
      const { project_id, threshold } = query;
      const open = { status: 'open' as const, hint: byService };
      const hasRisk = query.kev || query.min_epss !== null;
      const ids = hasRisk ? await riskDetails(query, session) : [];
      if (ids === null) return open;
      const bySeverity = threshold && { severity: asStored(threshold) };
      if (ids.length === 0) return bySeverity && { ...open, ...bySeverity };
      const byRisk = { details_id: { $in: ids } };
      if (bySeverity) return { ...open, $or: [bySeverity, byRisk] };
      const isRare = await areFew(project_id, ids, session);
      return { ...open, ...byRisk, project_id, ...(isRare && { hint: byDetails }) };
    },

    /** Titles and risk values of details, as they are now. */
    async titles(ids: readonly string[], session: ClientSession): Promise<Map<string, RatedTitle>> {
      const found = await details
        .find({ _id: { $in: [...new Set(ids)] } }, { session })
        .project<RatedTitle & { _id: string }>({
          title: 1,
          kev: 1,
          epss_score: 1,
          exploited_known_at: 1,
        })
        .toArray();
      return new Map(found.map(({ _id, ...rated }) => [_id, rated]));
    },
  };
}

/** The lowest threshold also matches a missing severity, which is reported as unknown. */
function asStored(threshold: AlertThreshold): Filter<TrackedVulnerabilityDocument>['severity'] {
  return threshold === 'low' ? { $ne: 'none' } : { $in: severitiesFrom(threshold) };
}
