import {
  AppError,
  type EmbeddedVexMode,
  type LicensePolicy,
  type ProjectView,
  type Retention,
  type ServiceLevels,
} from '@bomtrail/messages';
import { Mutex } from 'async-mutex';
import { v7 as newId } from 'uuid';
import { storedOwnership } from '../domain/ownership';
import { freeSlug, nameKeyOf, slugOf } from '../domain/slug';
import type { ProjectStore } from '../store/project-store';
import { projectView } from './views';

export interface NewProject {
  name: string;
  description: string | null;
  repo_url: string | null;
  platform: string | null;
  /** Null: the default of the installation. */
  retention?: Retention | null | undefined;
  /** Null: none. */
  service_levels?: ServiceLevels | null | undefined;
  /** Null: none. */
  license_policy?: LicensePolicy | null | undefined;
  /** Default: false. */
  ships_products?: boolean | undefined;
  embedded_vex?: EmbeddedVexMode | undefined;
  /** Null: none. */
  owner?: string | null | undefined;
  labels?: readonly string[] | null | undefined;
}

/**
 * Creates projects one after the other: those that begin at once with names of one slug would else
 * all try for the same free one, and the last of fifty lose 49 times, past the time of its request.
 *
 * @returns a function that throws AppError `project_name_taken`
 */
export function createCreateProject(deps: {
  projects: ProjectStore;
}): (input: NewProject) => Promise<ProjectView> {
  const turn = new Mutex();
  return (input) => turn.runExclusive(() => createProject(deps, input));
}

async function createProject(
  deps: { projects: ProjectStore },
  input: NewProject,
): Promise<ProjectView> {
  const { retention, service_levels, license_policy, ships_products, embedded_vex, ...others } =
    input;
  const { owner, labels, ...fields } = others;
  const name = input.name.trim();
  const base = slugOf(name);
  for (;;) {
    const project = {
      ...fields,
      ...(retention ? { retention } : {}),
      ...(service_levels ? { service_levels } : {}),
      ...(license_policy ? { license_policy } : {}),
      ...(ships_products ? { ships_products } : {}),
      ...(embedded_vex && embedded_vex !== 'off' ? { embedded_vex } : {}),
      ...storedOwnership({ owner, labels }),
      _id: newId(),
      name,
      name_key: nameKeyOf(name),
      slug: freeSlug(base, await deps.projects.slugsLike(base)),
      created_at: new Date(),
      updated_at: null,
    };
    const outcome = await deps.projects.insert(project);
    if (outcome === 'name_taken') throw new AppError('project_name_taken');
    if (outcome === 'done') return projectView(project);
  }
}
