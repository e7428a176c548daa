import type { ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral } from '@bomtrail/mongo';
import type { Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { Hidden } from '../../deletion/ports';
import { foundWhereOf, type StateFilter } from './list-filter';

/** The scope of a list: what exists of the projects and services that its filter names. */
export interface Scope {
  hidden: Hidden;
  /** The requested projects, or that of the requested services; undefined: all. */
  project_id: ProjectScope | undefined;
  /** Undefined: all. */
  services: readonly string[] | undefined;
}

/** The conditions on a vulnerability, without those on its details. */
export function whereOf(filter: StateFilter, scope: Scope): Filter<TrackedVulnerabilityDocument> {
  const { hidden, project_id, services } = scope;
  return {
    status: { $in: [...filter.statuses] },
    ...(project_id ? { project_id: oneOrSeveral(project_id) } : {}),
    ...(services ? { service_id: { $in: [...services] } } : notHidden(hidden)),
    ...foundWhereOf(filter),
  };
}

/** Excludes what is deleted but not purged yet; usually empty. */
export function notHidden({ projects, services }: Hidden): Filter<TrackedVulnerabilityDocument> {
  if (projects.length === 0 && services.length === 0) return {};
  return { $nor: [{ project_id: { $in: projects } }, { service_id: { $in: services } }] };
}

/**
 * Whether a filter names deleted projects only. Then nothing is read: MongoDB would scan every entry that waits
 * to be purged.
 */
export function namesHidden(
  { project_id }: { project_id?: ProjectScope | undefined },
  hidden: Hidden,
): boolean {
  if (project_id === undefined) return false;
  const named = typeof project_id === 'string' ? [project_id] : project_id;
  return named.every((one) => hidden.projects.includes(one));
}
