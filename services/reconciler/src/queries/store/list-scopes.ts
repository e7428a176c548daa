import { isInScope, type ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral, type Aggregation, type Database } from '@bomtrail/mongo';
import type { ClientSession, Document, Filter } from 'mongodb';
import { ExpiryDueError, dueWithin } from '../../decisions/store/pending-acceptances';
import type { DeletionStore, Hidden } from '../../deletion/ports';
import { addTo, type StatusCounts } from '../../tracking/store/count-keys';
import type { ServiceStateDocument } from '../../tracking/store/documents';
import {
  createStatusCounts,
  sumAggregation,
  totalAggregation,
} from '../../tracking/store/status-counts';
import type { BriefSbomVersion } from '../../tracking/store/service-state-store';
import { servicesOf, type StateFilter } from './list-filter';
import { namesHidden, type Scope } from './list-where';

/** The scope of a filter in one snapshot, with the counts of its statuses by severity. */
export interface Selection extends Scope {
  counts: StatusCounts;
  /** The newest scanned SBOM of each service, if the filter names services. */
  heads?: ReadonlyMap<string, BriefSbomVersion | null>;
}

/** A filter with its scope. */
export interface FilteredQuery {
  filter: StateFilter;
  selection: Selection;
}

/** Whether a scope is limited to no project and no service. */
export function isWhole({ project_id, services }: Scope): boolean {
  return project_id === undefined && services === undefined;
}

type ScopeFilter = Pick<StateFilter, 'project_id' | 'service_id' | 'service_ids' | 'statuses'>;
type CountedService = Pick<ServiceStateDocument, '_id' | 'project_id' | 'counts'> & {
  head: BriefSbomVersion | null;
};

const existing = { deletion_state: { $exists: false } };

/** Resolves the scopes of lists: what exists, and what is counted there. */
export function createListScopes({ db }: Database, deletions: Pick<DeletionStore, 'hiddenWith'>) {
  const counted = createStatusCounts(db);

  /**
   * Null if the filter names nothing that exists.
   *
   * @throws ExpiryDueError if an acceptance in the scope has to expire before
   */
  async function select(filter: ScopeFilter, session: ClientSession): Promise<Selection | null> {
    const { project_id } = filter;
    const named = servicesOf(filter);
    if (named) return selectServices({ project_id, named }, session);
    return project_id === undefined
      ? selectAll(filter, session)
      : selectProjects({ ...filter, project_id }, session);
  }

  /** What an aggregation gives in a scope in which no acceptance has to expire first. */
  async function readWith<Result extends Document>(
    { project_id, session }: { project_id: ProjectScope | undefined; session: ClientSession },
    aggregation: Aggregation,
  ): Promise<{ hidden: Hidden; results: Result[] }> {
    const all = [aggregation, dueWithin(project_id)];
    const { hidden, results } = await deletions.hiddenWith({ project_id, session }, all);
    const [found = [], due = []] = results;
    if (due.length > 0) throw new ExpiryDueError();
    return { hidden, results: found as Result[] };
  }

  async function selectServices(
    { project_id, named }: { project_id: ProjectScope | undefined; named: readonly string[] },
    session: ClientSession,
  ): Promise<Selection | null> {
    const { hidden, results } = await readWith<CountedService>(
      { project_id, session },
      {
        collection: 'service_states',
        pipeline: [
          { $match: { _id: { $in: [...named] }, ...existing } },
          { $project: { project_id: 1, counts: 1, 'head.sbom_id': 1, 'head.created_at': 1 } },
        ],
      },
    );
    const present = results.filter(
      (state) =>
        !hidden.projects.includes(state.project_id) &&
        !hidden.services.includes(state._id) &&
        isInScope(project_id, state.project_id),
    );
    if (present.length === 0) return null;
    const counts: StatusCounts = {};
    for (const state of present) addTo(counts, state.counts ?? {}, 1);
    const projects = new Set(present.map((state) => state.project_id));
    return {
      hidden,
      project_id: projects.size === 1 ? [...projects][0] : undefined,
      services: present.map(({ _id }) => _id),
      heads: new Map(present.map(({ _id, head }) => [_id, head])),
      counts,
    };
  }

  async function selectAll(
    { statuses }: Pick<StateFilter, 'statuses'>,
    session: ClientSession,
  ): Promise<Selection> {
    const query = { project_id: undefined, session };
    const { hidden, results } = await readWith<StatusCounts>(query, totalAggregation(statuses));
    const counts = results[0] ?? {};
    // Deleted services are in the total until they are purged, batch by batch.
    if (hidden.projects.length > 0 || hidden.services.length > 0) {
      const deleted: Filter<ServiceStateDocument> = {
        $or: [{ project_id: { $in: hidden.projects } }, { _id: { $in: hidden.services } }],
      };
      addTo(counts, await counted.sumOver(deleted, session, statuses), -1);
    }
    return { hidden, project_id: undefined, services: undefined, counts };
  }

  /** One project, or several, of which some may be deleted. */
  async function selectProjects(
    { project_id, statuses }: { project_id: ProjectScope; statuses: StateFilter['statuses'] },
    session: ClientSession,
  ): Promise<Selection | null> {
    const sumIn = (projects: ProjectScope) => ({ project_id: oneOrSeveral(projects), ...existing });
    const counting = sumAggregation(sumIn(project_id), statuses);
    const { hidden, results } = await readWith<StatusCounts>({ project_id, session }, counting);
    if (namesHidden({ project_id }, hidden)) return null;
    const selection = { hidden, project_id, services: undefined, counts: results[0] ?? {} };
    if (typeof project_id === 'string') return selection;
    const left = project_id.filter((one) => !hidden.projects.includes(one));
    if (left.length === project_id.length) return selection;
    const counts = await counted.sumOver(sumIn(left), session, statuses);
    return { ...selection, project_id: left, counts };
  }

  return { select };
}
