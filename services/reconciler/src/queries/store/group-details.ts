import type { Grouping } from '@bomtrail/messages';
import type { ClientSession, Db, Document } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetails, detailsIndex } from '../../tracking/store/list-indexes';
import {
  byRisk,
  type Counted,
  figuresOf,
  type GroupFigures,
} from '../domain/group-vulnerabilities';
import { aggregateInTime, findInTime } from './in-time';
import { detailsWhereOf, isSelective, namesFound, type StateFilter } from './list-filter';
import { walkedWhere } from './matching-details';
import type { Window } from './list-plan';
import { grouped } from '../../tracking/domain/grouped';
import { type FilteredQuery, isWhole } from './list-scopes';

/** What groups are made of. */
const groupFields = {
  cve_id: 1,
  package_name: 1,
  ecosystem: 1,
  risk: 1,
  kev_sort: 1,
  has_fix: 1,
  severity: 1,
} as const;

/** The part of details that groups are made of. */
export type GroupDetails = Pick<DetailsDocument, '_id' | keyof typeof groupFields>;

export type ReadGroupDetails = (
  ids: readonly string[],
  session: ClientSession,
) => Promise<Map<string, GroupDetails>>;

/** Reads the part of details that groups are made of, by id. */
export function createGroupDetails(db: Db): ReadGroupDetails {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  return async (ids, session) => {
    const where = { _id: { $in: [...ids] } };
    const found: GroupDetails[] = await findInTime(details, where, {
      session,
      projection: groupFields,
    });
    return new Map(found.map((one) => [one._id, one]));
  };
}

/** Reads the part of all details that a filter selects. */
export function createSelectedGroupDetails(
  db: Db,
): (filter: StateFilter, session: ClientSession) => Promise<GroupDetails[]> {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  return (filter, session) => {
    const where = detailsWhereOf(filter);
    const walked = walkedWhere(filter, 'severity_rank');
    return findInTime(details, where ? { $and: [walked, where] } : walked, {
      session,
      hint: detailsIndex('severity_rank', -1),
      batchSize: 100_000,
      projection: groupFields,
    });
  };
}

/**
 * The expression for a 64th of all ids of details: arrays of these are read several times as fast as a document for
 * each id, and an array of one part stays far below the 16 MB of a document.
 *
 * @param id the expression for the id
 */
export function partOf(id: string): Document {
  return { $substrCP: [id, 0, 1] };
}

/** Some vulnerabilities with these details. */
export function countedOf(
  { severity, risk, kev_sort, has_fix }: GroupDetails,
  count: number,
): Counted {
  return { severity, count, risk, has_fix, isExploited: kev_sort !== null };
}

/** A group of details, with its most risky ones. */
export interface DetailsGroup extends GroupFigures {
  key: string;
  first: GroupDetails;
}

/** Groups details by their vulnerability or package. */
export function groupDetails(
  members: readonly GroupDetails[],
  group_by: Grouping,
): Map<string, GroupDetails[]> {
  return grouped(members, (one) =>
    group_by === 'package' ? `${one.package_name}\n${one.ecosystem}` : one.cve_id,
  );
}

/**
 * The groups of a page. The order begins with the risk (VU12), which follows from the details: only groups whose
 * risk occurs on the page are counted.
 *
 * @param options `countOf`: the vulnerabilities of at least these details
 */
export async function firstGroups(
  groups: ReadonlyMap<string, GroupDetails[]>,
  {
    window: { skip, limit },
    countOf,
  }: {
    window: Window;
    countOf: (members: GroupDetails[]) => Promise<ReadonlyMap<string, number>>;
  },
): Promise<DetailsGroup[]> {
  const ranked = [...groups].map(([key, members]) => {
    const first = members.reduce(riskier);
    return { key, members, first, risk: riskOf(first) };
  });
  ranked.sort((a, b) => b.risk - a.risk);
  const page = ranked.slice(skip, skip + limit);
  const [highest, lowest] = [page[0]?.risk, page.at(-1)?.risk];
  if (highest === undefined || lowest === undefined) return [];
  const candidates = ranked.filter(({ risk }) => risk <= highest && risk >= lowest);
  const before = ranked.findIndex(({ risk }) => risk <= highest);
  const counts = await countOf(candidates.flatMap(({ members }) => members));
  const counted = candidates.map(({ key, members, first }): DetailsGroup => {
    const parts = members.map((one) => countedOf(one, counts.get(one._id) ?? 0));
    return { ...figuresOf(parts), key, first };
  });
  return counted.sort(byRisk).slice(skip - before, skip - before + limit);
}

function riskOf({ risk }: GroupDetails): number {
  return risk ?? -1;
}

function riskier(a: GroupDetails, b: GroupDetails): GroupDetails {
  const difference = riskOf(b) - riskOf(a);
  if (difference !== 0) return difference > 0 ? b : a;
  return b._id < a._id ? b : a;
}

/**
 * Reads the details that a filter selects and that have a vulnerability of its status, without counting these: the
 * index by details is passed from one of the details to the next. Null where that is not the cheapest way: for
 * few details, several statuses, and what depends on the vulnerability or its scope.
 */
export function createPresentDetails(
  db: Db,
): (query: FilteredQuery, session: ClientSession) => Promise<GroupDetails[] | null> {
  const selected = createSelectedGroupDetails(db);
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  async function presentIds(status: string, session: ClientSession): Promise<Set<string>> {
    const pipeline = [
      { $match: { details_id: { $gt: '' }, status } },
      { $group: { _id: '$details_id' } },
      { $group: { _id: partOf('$_id'), ids: { $push: '$_id' } } },
    ];
    const found = await aggregateInTime<{ ids: string[] }>(vulnerabilities, pipeline, {
      session,
      hint: byDetails,
    });
    return new Set(found.flatMap(({ ids }) => ids));
  }

  return async ({ filter, selection }, session) => {
    const { hidden } = selection;
    const isHidden = hidden.projects.length > 0 || hidden.services.length > 0;
    const [status, ...others] = filter.statuses;
    if (!isWhole(selection) || isHidden || namesFound(filter) || filter.purl !== undefined)
      return null;
    if (isSelective(filter) || !status || others.length > 0) return null;
    const present = await presentIds(status, session);
    const found = await selected(filter, session);
    return found.filter(({ _id }) => present.has(_id));
  };
}
