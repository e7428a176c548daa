import type { Grouping, Severity, SeverityCounts, VulnerabilityGroup } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { countKey, countKeys, type StatusCounts } from '../../tracking/store/count-keys';
import { byDetails, byProject, byService } from '../../tracking/store/list-indexes';
import { byWorst, figuresOf, noCounts, type Counted } from '../domain/group-vulnerabilities';
import { inScopeOf, type FilteredCounts, type FilteredQuery } from './filtered-counts';
import { countedOf, type ReadGroupDetails } from './group-details';
import { inTime } from './in-time';
import { detailsWhereOf, isNarrow, isSelective, severitiesOf } from './list-filter';
import { countsByScope, type Window } from './list-plan';
import { whereOf } from './list-where';
import type { SelectedDetails } from './matching-details';

type ScopeQuery = FilteredQuery & { group_by: Grouping; window: Window };

/** A service or project with its vulnerabilities by severity. */
interface CountedScope {
  key: string;
  project_id: string;
  counts: SeverityCounts;
  total: number;
}

interface CountRow {
  _id: { key: string; project_id: string; severity: Severity };
  count: number;
}

type Group = Partial<VulnerabilityGroup> & ReturnType<typeof figuresOf>;

/** Groups vulnerabilities by service or project. */
export function createScopeGroups(
  db: Db,
  counts: FilteredCounts,
  readDetails: ReadGroupDetails,
): (query: ScopeQuery, session: ClientSession) => Promise<{ items: Group[]; total: number }> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');

  /** From the counters of the services. */
  async function counted(
    { filter, selection, group_by }: ScopeQuery,
    session: ClientSession,
  ): Promise<CountRow[]> {
    const { hidden, project_id, services } = selection;
    const where = {
      deletion_state: { $exists: false },
      counts: { $exists: true },
      ...(services ? { _id: { $in: [...services] } } : {}),
      ...(project_id === undefined ? { project_id: { $nin: hidden.projects } } : { project_id }),
    };
    const key = group_by === 'service' ? '$_id' : '$project_id';
    const sums = Object.fromEntries(countKeys.map((one) => [one, { $sum: `$counts.${one}` }]));
    const found = await states
      .aggregate<StatusCounts & { _id: string; project_id: string }>(
        [
          { $match: where },
          { $group: { _id: key, project_id: { $first: '$project_id' }, ...sums } },
        ],
        { session, batchSize: 10_000 },
      )
      .toArray();
    const named = severitiesOf(filter);
    return found.flatMap(({ _id, project_id: project, ...of }) =>
      named.map((severity): CountRow => {
        const keys = filter.statuses.map((status) => countKey(status, severity));
        const count = keys.reduce((sum, one) => sum + (of[one] ?? 0), 0);
        return { _id: { key: _id, project_id: project, severity }, count };
      }),
    );
  }

  /** The vulnerabilities with some details, or with any (null), from the vulnerabilities themselves. */
  async function read(
    { filter, selection, group_by }: ScopeQuery,
    of: readonly SelectedDetails[] | null,
    session: ClientSession,
  ): Promise<CountRow[]> {
    if (of?.length === 0) return [];
    const size = { inScope: inScopeOf({ filter, selection }), details: of?.length ?? Infinity };
    const isByScope = countsByScope({ ...filter, project_id: selection.project_id }, size);
    const scopeIndex = selection.services ? byService : byProject;
    const match = {
      ...whereOf(filter, selection),
      severity: { $in: severitiesOf(filter) },
      details_id: of ? { $in: of.map(({ _id }) => _id) } : { $gt: '' },
    };
    const key = group_by === 'service' ? '$service_id' : '$project_id';
    const group = { _id: { key, project_id: '$project_id', severity: '$severity' } };
    return inTime((limit) =>
      vulnerabilities
        .aggregate<CountRow>([{ $match: match }, { $group: { ...group, count: { $sum: 1 } } }], {
          ...limit,
          session,
          hint: isByScope ? scopeIndex : byDetails,
          batchSize: 10_000,
        })
        .toArray(),
    );
  }

  async function rowsOf(query: ScopeQuery, session: ClientSession): Promise<CountRow[]> {
    const { filter } = query;
    if (!isNarrow(filter)) return counted(query, session);
    if (detailsWhereOf(filter) === null) return read(query, null, session);
    const selected = await counts.matching.find(filter, null, session);
    const others = await counts.othersOf(query, selected, session);
    if (!others) return read(query, selected, session);
    const without = await read(query, others, session);
    const negative = without.map((row) => ({ ...row, count: -row.count }));
    return [...(await counted(query, session)), ...negative];
  }

  /** Risk, exploitation and fixes of the groups on a page, from their vulnerabilities. */
  async function detailed(
    { filter, selection, group_by }: ScopeQuery,
    groups: readonly CountedScope[],
    session: ClientSession,
  ): Promise<Group[]> {
    const ids = groups.map(({ key }) => key);
    const isService = group_by === 'service';
    const scope = isService ? { service_id: { $in: ids } } : { project_id: { $in: ids } };
    const few = isSelective(filter) ? await counts.matching.find(filter, null, session) : null;
    const named = few ? { details_id: { $in: few.map(({ _id }) => _id) } } : {};
    const match = {
      $and: [whereOf(filter, selection), scope, named, { severity: { $in: severitiesOf(filter) } }],
    };
    const scopeIndex = isService ? byService : byProject;
    const key = isService ? '$service_id' : '$project_id';
    const found = await inTime((limit) =>
      vulnerabilities
        .aggregate<{ _id: { key: string; details: string; severity: Severity }; count: number }>(
          [
            { $match: match },
            {
              $group: {
                _id: { key, details: '$details_id', severity: '$severity' },
                count: { $sum: 1 },
              },
            },
          ],
          { ...limit, session, hint: few ? byDetails : scopeIndex, batchSize: 10_000 },
        )
        .toArray(),
    );
    const detailsIds = [...new Set(found.map(({ _id }) => _id.details))];
    const selected = await counts.matching.among(detailsIds, filter, session);
    const facts = await readDetails(
      selected.map(({ _id }) => _id),
      session,
    );
    const members = new Map<string, Counted[]>(ids.map((id) => [id, []]));
    for (const { _id, count } of found) {
      const one = facts.get(_id.details);
      if (one) members.get(_id.key)?.push(countedOf(one, { severity: _id.severity, count }));
    }
    return groups.map((group) => {
      const { project_id } = group;
      return {
        ...figuresOf(members.get(group.key) ?? []),
        ...(isService ? { service_id: group.key, project_id } : { project_id }),
      };
    });
  }

  return async (query, session) => {
    const groups = new Map<string, CountedScope>();
    for (const { _id, count } of await rowsOf(query, session)) {
      const { key, project_id, severity } = _id;
      const group = groups.get(key) ?? { key, project_id, counts: noCounts(), total: 0 };
      group.counts[severity] += count;
      group.total += count;
      groups.set(key, group);
    }
    const { skip, limit } = query.window;
    const all = [...groups.values()].filter(({ total }) => total > 0).sort(byWorst);
    const shown = all.slice(skip, skip + limit);
    return { items: await detailed(query, shown, session), total: all.length };
  };
}
