import type { ClientSession, Db, Document } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetails, byDetection } from '../../tracking/store/list-indexes';
import type { GroupFigures } from '../domain/group-vulnerabilities';
import { createSelectedGroupDetails, type GroupDetails } from './group-details';
import { aggregateInTime } from './in-time';
import { foundIndex, severitiesOf } from './list-filter';
import type { FilteredQuery } from './list-scopes';
import { whereOf } from './list-where';

/** What the counters of services do not have. */
export type ProjectFigures = Pick<GroupFigures, 'kev' | 'fixable' | 'highest_risk'>;

type Query = FilteredQuery & {
  /** The projects, with the number of vulnerabilities that the filter selects in each. */
  projects: ReadonlyMap<string, number>;
};

/** Details of the first step of the search for the highest risk; each further step has twice as many. */
const firstStep = 100;

/**
 * Exploitation, fixes and risk of projects, of filters for everything. Only what is rarer is counted: the
 * exploited ones, and those with a fix or those without. The highest risk is looked for from the riskiest details
 * on, until each project has one of them.
 */
export function createProjectFigures(
  db: Db,
): (query: Query, session: ClientSession) => Promise<Map<string, ProjectFigures>> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const selected = createSelectedGroupDetails(db);

  /** Groups the vulnerabilities that have some details by project, and by what `also` names. */
  function grouped<Row extends Document>(
    { filter, selection }: Query,
    of: { details: readonly GroupDetails[]; projects: Iterable<string>; also: Document },
    session: ClientSession,
  ): Promise<Row[]> {
    const hint = foundIndex(filter) ?? byDetails;
    const match = {
      $and: [
        whereOf(filter, selection),
        // Of other indexes this would read the documents.
        ...(hint === byDetection ? [{ severity: { $in: severitiesOf(filter) } }] : []),
        { details_id: { $in: of.details.map(({ _id }) => _id) } },
        { project_id: { $in: [...of.projects] } },
      ],
    };
    const group = { _id: { project: '$project_id', ...of.also }, count: { $sum: 1 } };
    const pipeline = [{ $match: match }, { $group: group }];
    return aggregateInTime(vulnerabilities, pipeline, { session, hint });
  }

  async function countsOf(
    query: Query,
    of: readonly GroupDetails[],
    session: ClientSession,
  ): Promise<Map<string, number>> {
    if (of.length === 0) return new Map();
    const asked = { details: of, projects: query.projects.keys(), also: {} };
    const found = await grouped<{ _id: { project: string }; count: number }>(query, asked, session);
    return new Map(found.map(({ _id, count }) => [_id.project, count]));
  }

  async function highestRisks(
    query: Query,
    all: readonly GroupDetails[],
    session: ClientSession,
  ): Promise<Map<string, number>> {
    const rated = all.flatMap((one) => (one.risk === null ? [] : [{ ...one, risk: one.risk }]));
    rated.sort((a, b) => b.risk - a.risk);
    const highest = new Map<string, number>();
    const missing = new Set(query.projects.keys());
    for (let at = 0, step = firstStep; at < rated.length && missing.size > 0; step *= 2) {
      const part = rated.slice(at, at + step);
      at += step;
      const riskOf = new Map(part.map(({ _id, risk }) => [_id, risk]));
      const asked = { details: part, projects: missing, also: { details: '$details_id' } };
      type Row = { _id: { project: string; details: string } };
      for (const { _id } of await grouped<Row>(query, asked, session)) {
        const risk = Math.max(highest.get(_id.project) ?? 0, riskOf.get(_id.details) ?? 0);
        highest.set(_id.project, risk);
        missing.delete(_id.project);
      }
    }
    return highest;
  }

  return async (query, session) => {
    if (query.projects.size === 0) return new Map();
    const all = await selected(query.filter, session);
    const withFix = all.filter(({ has_fix }) => has_fix);
    const without = all.filter(({ has_fix }) => !has_fix);
    const areFixesRare = withFix.length < without.length;
    const rarer = await countsOf(query, areFixesRare ? withFix : without, session);
    const exploited = all.filter(({ kev_sort }) => kev_sort !== null);
    const kevs = await countsOf(query, exploited, session);
    const risks = await highestRisks(query, all, session);
    return new Map(
      [...query.projects].map(([id, total]) => {
        const count = rarer.get(id) ?? 0;
        const figures = {
          kev: kevs.get(id) ?? 0,
          fixable: areFixesRare ? count : total - count,
          highest_risk: risks.get(id) ?? null,
        };
        return [id, figures];
      }),
    );
  };
}
