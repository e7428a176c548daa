import type { Grouping, PageOf, VulnerabilityGroup } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import type { DeletionStore } from '../../deletion/ports';
import type { DetailsDocument } from '../../tracking/store/documents';
import {
  firstGroups,
  groupDetails,
  type DetailsGroup,
  createGroupDetails,
  type GroupDetails,
  createPresentDetails,
} from './group-details';
import { createFilteredCounts } from './filtered-counts';
import type { StateFilter } from './list-filter';
import type { Window } from './list-plan';
import { createListScopes, type FilteredQuery } from './list-scopes';
import { createScopeGroups } from './scope-groups';

/** A query for groups. */
export interface GroupQuery {
  filter: StateFilter;
  group_by: Grouping;
  window: Window;
}

export type GroupStore = ReturnType<typeof createGroupStore>;

/**
 * Groups vulnerabilities. Groups by vulnerability and package are sums over the details, counted in their index; of
 * everything, only those that a page may show are counted. Groups by service and project are sums over the counters
 * of the services, or over the selected vulnerabilities.
 */
export function createGroupStore(database: Database, deletions: Pick<DeletionStore, 'hiddenWith'>) {
  const { db, client } = database;
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const { select } = createListScopes(database, deletions);
  const counts = createFilteredCounts(db);

  const readDetails = createGroupDetails(db);
  const readPresent = createPresentDetails(db);
  const readScopeGroups = createScopeGroups(db, counts, readDetails);

  async function byDetails(
    query: FilteredQuery,
    { group_by, window }: GroupQuery,
    session: ClientSession,
  ): Promise<PageOf<VulnerabilityGroup>> {
    const present = await readPresent(query, session);
    const { members, countOf } = present
      ? { members: present, countOf: (of: GroupDetails[]) => counts.countsOf(query, of, session) }
      : await countedMembers(query, session);
    const groups = groupDetails(members, group_by);
    const shown = await firstGroups(groups, { window, countOf });
    return { items: await withTitles(shown, group_by, session), total: groups.size };
  }

  /** What a filter selects, all of it counted. */
  async function countedMembers(query: FilteredQuery, session: ClientSession) {
    const selected = await counts.byDetails(query, session);
    const known = await readDetails(
      selected.map(({ _id }) => _id),
      session,
    );
    const counted = new Map(selected.map(({ _id, count }) => [_id, count]));
    const members = selected.flatMap(({ _id }) => known.get(_id) ?? []);
    return { members, countOf: async () => counted };
  }

  async function withTitles(
    groups: readonly DetailsGroup[],
    group_by: Grouping,
    session: ClientSession,
  ): Promise<VulnerabilityGroup[]> {
    const ids = group_by === 'vulnerability' ? groups.map(({ first }) => first._id) : [];
    const found = await details
      .find({ _id: { $in: ids } }, { session })
      .project<{ _id: string; title: string }>({ title: 1 })
      .toArray();
    const titles = new Map(found.map(({ _id, title }) => [_id, title]));
    return groups.map(({ key: _key, first, ...figures }) => ({
      ...nothing,
      ...figures,
      ...(group_by === 'package'
        ? { package_name: first.package_name, ecosystem: first.ecosystem }
        : { cve_id: first.cve_id, title: titles.get(first._id) ?? null }),
    }));
  }

  return {
    /** One page of groups and their number, from one snapshot. */
    group: (query: GroupQuery): Promise<PageOf<VulnerabilityGroup>> =>
      withSnapshot(client, async (session) => {
        const { filter, group_by, window } = query;
        const selection = await select(filter, session);
        if (!selection) return { items: [], total: 0 };
        if (group_by === 'vulnerability' || group_by === 'package')
          return byDetails({ filter, selection }, query, session);
        const found = await readScopeGroups({ filter, selection, group_by, window }, session);
        const items = found.items.map((group) => ({ ...nothing, ...group }));
        return { items, total: found.total };
      }),
  };
}

/** The fields of other groupings. */
const nothing = {
  cve_id: null,
  title: null,
  package_name: null,
  ecosystem: null,
  project_id: null,
  service_id: null,
};
