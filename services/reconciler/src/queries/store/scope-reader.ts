import type { Severity } from '@bomtrail/messages';
import type { ClientSession, Db, Document } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byFirstSeen as firstSeenIndex,
  byProject,
  byService,
  type IndexKey,
} from '../../tracking/store/list-indexes';
import { detailsWhereOf, severitiesOf, type StateFilter } from './list-filter';
import { byDetailsValue, byFirstSeen, type ListEntry, type Value } from './list-orders';
import { directionOf, sortFields, type ListOrder } from './list-plan';
import { inTime } from './in-time';
import { whereOf, type Scope } from './list-where';

export type ScopeEntry = ListEntry & { severity: Severity };

/** Reads all vulnerabilities of a scope that a filter selects, in order, for scopes of limited size. */
export function createScopeReader(
  db: Db,
): (
  query: { filter: StateFilter; order: ListOrder; scope: Scope },
  session: ClientSession,
) => Promise<ScopeEntry[]> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  /** Of these details, the sort values of those that the filter selects. */
  async function valuesOf(
    ids: Iterable<string>,
    { filter, value }: { filter: StateFilter; value: string },
    session: ClientSession,
  ): Promise<Map<string, Value>> {
    const named = { _id: { $in: [...ids] } };
    const where = detailsWhereOf(filter);
    const found = await inTime((limit) =>
      details
        .find(where ? { $and: [named, where] } : named, { ...limit, session, hint: { _id: 1 } })
        .project<Document>({ [value]: 1 })
        .toArray(),
    );
    return new Map(found.map((one) => [one['_id'] as string, one[value] as Value]));
  }

  return async ({ filter, order, scope }, session) => {
    const where = { ...whereOf(filter, scope), severity: { $in: severitiesOf(filter) } };
    const entries = await inTime((limit) =>
      vulnerabilities
        .find(where, { ...limit, session, hint: indexOf(scope), batchSize: 10_000 })
        .project<ScopeEntry>({ details_id: 1, project_id: 1, first_seen_at: 1, severity: 1 })
        .toArray(),
    );
    const direction = directionOf(order);
    const value = sortFields[order.sort];
    if (value === 'first_seen_at' && !detailsWhereOf(filter))
      return entries.sort(byFirstSeen(direction));
    const ids = new Set(entries.flatMap(({ details_id }) => details_id ?? []));
    const values = await valuesOf(ids, { filter, value }, session);
    const selected = entries.filter(({ details_id }) => values.has(details_id ?? ''));
    if (value === 'first_seen_at') return selected.sort(byFirstSeen(direction));
    const valueOf = (entry: ListEntry): Value => values.get(entry.details_id ?? '') ?? null;
    return selected.sort(byDetailsValue(valueOf, direction));
  };
}

function indexOf({ services, project_id }: Scope): IndexKey {
  if (services) return byService;
  return project_id ? byProject : firstSeenIndex;
}
