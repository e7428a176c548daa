import type { Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { DeletionStore, Hidden } from '../../deletion/store/deletion-store';
import { addTo, type StatusCounts } from '../../tracking/store/count-keys';
import type { DetailsDocument, ServiceStateDocument } from '../../tracking/store/documents';
import { createStatusCounts } from '../../tracking/store/status-counts';
import { aliasKeyOf, namesHidden, severitiesOf, type ListFilter } from './list-plan';

/** What a filter selects, in one snapshot. */
export interface Selection {
  hidden: Hidden;
  /** Counts, ignoring the filter by id. */
  counts: StatusCounts;
  /** The requested project, or that of the requested service. */
  project_id: string | undefined;
}

export type ListScopes = ReturnType<typeof createListScopes>;

/** Resolves the filters of lists: what exists, what is counted, which details name an id. */
export function createListScopes({ db }: Database, deletions: Pick<DeletionStore, 'hidden'>) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const states = db.collection<ServiceStateDocument>('service_states');
  const counted = createStatusCounts(db);

  /** Null if the filter names something that does not exist or was deleted. */
  async function select(
    filter: Pick<ListFilter, 'project_id' | 'service_id'>,
    session: ClientSession,
  ): Promise<Selection | null> {
    const { project_id, service_id } = filter;
    const hidden = await deletions.hidden({ project_id, session });
    if (namesHidden(filter, hidden)) return null;
    if (service_id === undefined)
      return { hidden, project_id, counts: await countsOf(project_id, hidden, session) };
    const state = await states.findOne({ _id: service_id }, { session });
    if (!state || state.deletion_state || hidden.projects.includes(state.project_id)) return null;
    if (project_id !== undefined && state.project_id !== project_id) return null;
    return { hidden, project_id: state.project_id, counts: state.counts ?? {} };
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

  /** The details that name an id, with these severities; null without one. */
  async function detailsNaming(
    filter: Pick<ListFilter, 'cve_id' | 'severity'>,
    session?: ClientSession,
  ): Promise<string[] | null> {
    if (!filter.cve_id) return null;
    const where = {
      alias_keys: aliasKeyOf(filter.cve_id),
      severity: { $in: severitiesOf(filter) },
    };
    const found = details.find(where, { session }).project<{ _id: string }>({ _id: 1 });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  return { select, detailsNaming };
}
