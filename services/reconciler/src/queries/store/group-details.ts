import type { ClientSession, Db, Document } from 'mongodb';
import type { DetailsDocument } from '../../tracking/store/documents';
import { detailsIndex } from '../../tracking/store/list-indexes';
import type { Counted } from '../domain/group-vulnerabilities';
import { inTime } from './in-time';
import { detailsWhereOf, type StateFilter } from './list-filter';
import { walkedWhere } from './matching-details';

/** What groups are made of. */
export const groupFields = {
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
    const found = await inTime((limit) =>
      details
        .find({ _id: { $in: [...ids] } }, { ...limit, session, batchSize: 10_000 })
        .project<GroupDetails>(groupFields)
        .toArray(),
    );
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
    const hint = detailsIndex('severity_rank', -1);
    return inTime((limit) =>
      details
        .find(where ? { $and: [walked, where] } : walked, {
          ...limit,
          session,
          hint,
          batchSize: 100_000,
        })
        .project<GroupDetails>(groupFields)
        .toArray(),
    );
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
