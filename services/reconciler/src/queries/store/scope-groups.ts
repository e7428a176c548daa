import type { SeverityCounts, VulnerabilityGroup } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetails, byProject, byService } from '../../tracking/store/list-indexes';
import { byWorst, figuresOf, noCounts, type Counted } from '../domain/group-vulnerabilities';
import type { FilteredCounts } from './filtered-counts';
import { countedOf, partOf, type GroupDetails, type ReadGroupDetails } from './group-details';
import { aggregateInTime } from './in-time';
import { detailsWhereOf, isSelective, severitiesOf, type StateFilter } from './list-filter';
import type { Window } from './list-plan';
import { isWhole } from './list-scopes';
import { whereOf } from './list-where';
import { createProjectFigures } from './project-figures';
import { createScopeRows, type ScopeQuery } from './scope-rows';

type ScopePage = ScopeQuery & { window: Window };

/** A service or project with its vulnerabilities by severity. */
interface CountedScope {
  key: string;
  project_id: string;
  counts: SeverityCounts;
  total: number;
}

type Group = Partial<VulnerabilityGroup> & ReturnType<typeof figuresOf>;

/** Groups vulnerabilities by service or project. */
export function createScopeGroups(
  db: Db,
  counts: FilteredCounts,
  readDetails: ReadGroupDetails,
): (query: ScopePage, session: ClientSession) => Promise<{ items: Group[]; total: number }> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const countRows = createScopeRows(db, counts);
  const readProjects = createProjectFigures(db);

  /** Whether a filter selects details, by what is known of them or, for other conditions, by asking. */
  async function selectedBy(
    filter: StateFilter,
    facts: ReadonlyMap<string, GroupDetails>,
    session: ClientSession,
  ): Promise<(id: string) => boolean> {
    if (detailsWhereOf(filter) === null) {
      const named = new Set<string>(severitiesOf(filter));
      return (id) => named.has(facts.get(id)?.severity ?? '');
    }
    const selected = await counts.matching.among([...facts.keys()], filter, session);
    const ids = new Set(selected.map(({ _id }) => _id));
    return (id) => ids.has(id);
  }

  /** Risk, exploitation and fixes of the groups on a page, from their vulnerabilities. */
  async function detailed(
    { filter, selection, group_by }: ScopeQuery,
    groups: readonly CountedScope[],
    session: ClientSession,
  ): Promise<Group[]> {
    const ids = groups.map(({ key }) => key);
    const isService = group_by === 'service';
    if (!isService && isWhole(selection) && !isSelective(filter)) {
      const projects = new Map(groups.map(({ key, total }) => [key, total]));
      const figures = await readProjects({ filter, selection, projects }, session);
      return groups.map(({ key: project_id, counts: own, total }) => {
        const none = { kev: 0, fixable: 0, highest_risk: null };
        return { project_id, counts: own, total, ...(figures.get(project_id) ?? none) };
      });
    }
    const scope = isService ? { service_id: { $in: ids } } : { project_id: { $in: ids } };
    const few = isSelective(filter) ? await counts.matching.find(filter, {}, session) : null;
    const named = { details_id: few ? { $in: few.map(({ _id }) => _id) } : { $gt: '' } };
    const match = { $and: [whereOf(filter, selection), scope, named] };
    const scopeIndex = isService ? byService : byProject;
    const key = isService ? '$service_id' : '$project_id';
    const parts = { _id: { key, part: partOf('$details_id') }, details: { $push: '$details_id' } };
    const found = await aggregateInTime<{ _id: { key: string }; details: string[] }>(
      vulnerabilities,
      [{ $match: match }, { $group: parts }],
      { session, hint: few ? byDetails : scopeIndex },
    );
    const facts = await readDetails([...new Set(found.flatMap(({ details }) => details))], session);
    const isSelected = await selectedBy(filter, facts, session);
    const members = new Map<string, Counted[]>(ids.map((id) => [id, []]));
    for (const { _id, details } of found)
      for (const id of details) {
        const one = facts.get(id);
        if (one && isSelected(id)) members.get(_id.key)?.push(countedOf(one, 1));
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
    for (const { _id, count } of await countRows(query, session)) {
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
