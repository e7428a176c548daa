import type { Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { DeletionStore, Hidden } from '../../deletion/ports';
import { addTo, type StatusCounts } from '../../tracking/store/count-keys';
import type { ServiceStateDocument } from '../../tracking/store/documents';
import { createStatusCounts } from '../../tracking/store/status-counts';
import { servicesOf, type ListFilter } from './list-filter';
import { namesHidden, type Scope } from './list-where';

/** The scope of a filter in one snapshot, with its counts by status and severity. */
export interface Selection extends Scope {
  counts: StatusCounts;
}

export type ListScopes = ReturnType<typeof createListScopes>;

/** Resolves the scopes of lists: what exists, and what is counted there. */
export function createListScopes({ db }: Database, deletions: Pick<DeletionStore, 'hidden'>) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const counted = createStatusCounts(db);

  /** Null if the filter names nothing that exists. */
  async function select(
    filter: Pick<ListFilter, 'project_id' | 'service_id' | 'service_ids'>,
    session: ClientSession,
  ): Promise<Selection | null> {
    const { project_id } = filter;
    const hidden = await deletions.hidden({ project_id, session });
    if (namesHidden(filter, hidden)) return null;
    const named = servicesOf(filter);
    if (named) return selectServices({ project_id, hidden, named }, session);
    const counts = await countsOf(project_id, hidden, session);
    return { hidden, project_id, services: undefined, counts };
  }

  async function selectServices(
    {
      project_id,
      hidden,
      named,
    }: { project_id: string | undefined; hidden: Hidden; named: readonly string[] },
    session: ClientSession,
  ): Promise<Selection | null> {
    const found = await states
      .find({ _id: { $in: [...named] }, deletion_state: { $exists: false } }, { session })
      .project<Pick<ServiceStateDocument, '_id' | 'project_id' | 'counts'>>({
        project_id: 1,
        counts: 1,
      })
      .toArray();
    const existing = found.filter(
      (state) =>
        !hidden.projects.includes(state.project_id) &&
        !hidden.services.includes(state._id) &&
        state.project_id === (project_id ?? state.project_id),
    );
    if (existing.length === 0) return null;
    const counts: StatusCounts = {};
    for (const state of existing) addTo(counts, state.counts ?? {}, 1);
    const projects = new Set(existing.map((state) => state.project_id));
    return {
      hidden,
      project_id: projects.size === 1 ? [...projects][0] : undefined,
      services: existing.map(({ _id }) => _id),
      counts,
    };
  }

  /** The counts of a project, or of everything that is not deleted. */
  async function countsOf(
    project_id: string | undefined,
    hidden: Hidden,
    session: ClientSession,
  ): Promise<StatusCounts> {
    if (project_id !== undefined) {
      return counted.sumOver({ project_id, deletion_state: { $exists: false } }, session);
    }
    const counts = await counted.all(session);
    // Deleted services are in the total until they are purged, batch by batch.
    if (hidden.projects.length > 0 || hidden.services.length > 0) {
      const deleted: Filter<ServiceStateDocument> = {
        $or: [{ project_id: { $in: hidden.projects } }, { _id: { $in: hidden.services } }],
      };
      addTo(counts, await counted.sumOver(deleted, session), -1);
    }
    return counts;
  }

  return { select };
}
