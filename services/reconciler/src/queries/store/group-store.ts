import type { Grouping, PageOf, VulnerabilityGroup } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import type { DeletionStore } from '../../deletion/ports';
import type { DetailsDocument } from '../../tracking/store/documents';
import {
  byRisk,
  figuresOf,
  type Counted,
  type GroupFigures,
} from '../domain/group-vulnerabilities';
import { createFilteredCounts, type FilteredQuery } from './filtered-counts';
import { countedOf, createGroupDetails, type GroupDetails } from './group-details';
import type { StateFilter } from './list-filter';
import type { Window } from './list-plan';
import { createListScopes } from './list-scopes';
import { createScopeGroups } from './scope-groups';

/** A query for groups. */
export interface GroupQuery {
  filter: StateFilter;
  group_by: Grouping;
  window: Window;
}

/** A group of details, with the id of its most risky ones. */
interface DetailsGroup extends GroupFigures {
  key: string;
  first: GroupDetails;
}

export type GroupStore = ReturnType<typeof createGroupStore>;

/**
 * Groups vulnerabilities. Groups by vulnerability and package are sums over the details, counted in their
 * index; groups by service and project are sums over the counters of the services, or over the selected
 * vulnerabilities.
 */
export function createGroupStore(database: Database, deletions: Pick<DeletionStore, 'hidden'>) {
  const { db, client } = database;
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const { select } = createListScopes(database, deletions);
  const counts = createFilteredCounts(db);

  const readDetails = createGroupDetails(db);
  const readScopeGroups = createScopeGroups(db, counts, readDetails);

  async function byDetails(
    query: FilteredQuery,
    { group_by, window }: GroupQuery,
    session: ClientSession,
  ): Promise<PageOf<VulnerabilityGroup>> {
    const selected = await counts.byDetails(query, session);
    const known = await readDetails(
      selected.map(({ _id }) => _id),
      session,
    );
    const groups = new Map<string, { details: GroupDetails; counted: Counted }[]>();
    for (const { _id, severity, count } of selected) {
      const one = known.get(_id);
      if (!one) continue;
      const key = group_by === 'package' ? `${one.package_name}\n${one.ecosystem}` : one.cve_id;
      const member = { details: one, counted: countedOf(one, { severity, count }) };
      const others = groups.get(key);
      if (others) others.push(member);
      else groups.set(key, [member]);
    }
    const all = [...groups].map(([key, members]): DetailsGroup => ({
      ...figuresOf(members.map(({ counted }) => counted)),
      key,
      first: (members.reduce(riskier) as (typeof members)[number]).details,
    }));
    all.sort(byRisk);
    const shown = all.slice(window.skip, window.skip + window.limit);
    return { items: await withTitles(shown, group_by, session), total: all.length };
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

function riskier<Member extends { details: GroupDetails }>(a: Member, b: Member): Member {
  const difference = (b.details.risk ?? -1) - (a.details.risk ?? -1);
  if (difference !== 0) return difference > 0 ? b : a;
  return b.details._id < a.details._id ? b : a;
}
