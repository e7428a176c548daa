import type { ClientSession, Db } from 'mongodb';
import type { CountedStatus } from '../../tracking/store/count-keys';
import {
  listedFields,
  type TrackedVulnerabilityDocument,
  type VulnerabilityListItem,
} from '../../tracking/store/documents';

/** A vulnerability of a list. */
export type ListedVulnerability = VulnerabilityListItem & {
  status: CountedStatus;
} & Pick<TrackedVulnerabilityDocument, 'presence'>;

/** An entry of a page: the vulnerability, if it was already read, or its id. */
export type PageEntry = ListedVulnerability | Pick<ListedVulnerability, '_id'>;

/** The projection of a listed vulnerability. */
export const listedProjection = Object.fromEntries(
  [...listedFields, 'presence'].map((field) => [field, 1 as const]),
);

/** Reads the vulnerabilities of the entries that are ids, in one query; those that do not exist are omitted. */
export function createListedReader(
  db: Db,
): (entries: readonly PageEntry[], session: ClientSession) => Promise<ListedVulnerability[]> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  return async (entries, session) => {
    const listed = entries.filter(isRead);
    const ids = entries.flatMap((entry) => (isRead(entry) ? [] : [entry._id]));
    if (ids.length === 0) return listed;
    const found = await vulnerabilities
      .find({ _id: { $in: ids } }, { session })
      .project<ListedVulnerability>(listedProjection)
      .toArray();
    const byId = new Map([...listed, ...found].map((one) => [one._id, one]));
    return entries.flatMap(({ _id }) => byId.get(_id) ?? []);
  };
}

function isRead(entry: PageEntry): entry is ListedVulnerability {
  return 'presence' in entry;
}
