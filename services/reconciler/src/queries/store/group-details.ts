import type { Severity } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import type { DetailsDocument } from '../../tracking/store/documents';
import type { Counted } from '../domain/group-vulnerabilities';
import { inTime } from './in-time';

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

/** Some vulnerabilities with these details. */
export function countedOf(
  { risk, kev_sort, has_fix }: GroupDetails,
  { severity, count }: { severity: Severity; count: number },
): Counted {
  return { severity, count, risk, has_fix, isExploited: kev_sort !== null };
}
