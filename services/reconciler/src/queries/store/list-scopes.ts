import { isInScope, type ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { DeletionStore, Hidden } from '../../deletion/ports';
import { addTo, type StatusCounts } from '../../tracking/store/count-keys';
import type { ServiceStateDocument } from '../../tracking/store/documents';
import { createStatusCounts } from '../../tracking/store/status-counts';
import { servicesOf, type StateFilter } from './list-filter';
import { namesHidden, type Scope } from './list-where';

/** The scope of a filter in one snapshot, with the counts of its statuses by severity. */
export interface Selection extends Scope {
  counts: StatusCounts;
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

export type ListScopes = ReturnType<typeof createListScopes>;

/** Resolves the scopes of lists: what exists, and what is counted there. */
export function createListScopes({ db }: Database, deletions: Pick<DeletionStore, 'hidden'>) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const counted = createStatusCounts(db);

  /** Null if the filter names nothing that exists. */
  async function select(
    filter: Pick<StateFilter, 'project_id' | 'service_id' | 'service_ids' | 'statuses'>,
    session: ClientSession,
  ): Promise<Selection | null> {
    const hidden = await deletions.hidden({ project_id: filter.project_id, session });
    if (namesHidden(filter, hidden)) return null;
    const project_id = existing(filter.project_id, hidden);
    const named = servicesOf(filter);
    if (named) return selectServices({ project_id, hidden, named }, session);
    const { statuses } = filter;
    const counts = await countsOf({ project_id, hidden, statuses }, session);
    return { hidden, project_id, services: undefined, counts };
  }

  async function selectServices(
    {
      project_id,
      hidden,
      named,
    }: { project_id: ProjectScope | undefined; hidden: Hidden; named: readonly string[] },
    session: ClientSession,
  ): Promise<Selection | null> {
    const found = await states
      .find({ _id: { $in: [...named] }, deletion_state: { $exists: false } }, { session })
      .project<Pick<ServiceStateDocument, '_id' | 'project_id' | 'counts'>>({
        project_id: 1,
        counts: 1,
      })
      .toArray();
    const present = found.filter(
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
      counts,
    };
  }

  /** The counts of projects, or of everything that is not deleted. */
  async function countsOf(
    of: { project_id: ProjectScope | undefined; hidden: Hidden; statuses: StateFilter['statuses'] },
    session: ClientSession,
  ): Promise<StatusCounts> {
    const { project_id, hidden, statuses } = of;
    if (project_id !== undefined) {
      const existing = { project_id: oneOrSeveral(project_id), deletion_state: { $exists: false } };
      return counted.sumOver(existing, session, statuses);
    }
    const counts = await counted.all(session, statuses);
    // Deleted services are in the total until they are purged, batch by batch.
    if (hidden.projects.length > 0 || hidden.services.length > 0) {
      const deleted: Filter<ServiceStateDocument> = {
        $or: [{ project_id: { $in: hidden.projects } }, { _id: { $in: hidden.services } }],
      };
      addTo(counts, await counted.sumOver(deleted, session, statuses), -1);
    }
    return counts;
  }

  return { select };
}

/** Without what is deleted, of several projects. */
function existing(scope: ProjectScope | undefined, { projects }: Hidden): ProjectScope | undefined {
  if (scope === undefined || typeof scope === 'string') return scope;
  return scope.filter((one) => !projects.includes(one));
}
