import { AppError, type ProjectView } from '@bomtrail/messages';
import { ownershipChanges } from '../domain/ownership';
import { nameKeyOf } from '../domain/slug';
import type { ProjectStore } from '../store/project-store';
import type { NewProject } from './create-project';
import { projectView } from './views';

/**
 * Changes the given fields; the slug never changes.
 *
 * @throws AppError `project_not_found`, `project_name_taken`
 */
export async function updateProject(
  deps: { projects: ProjectStore },
  input: { project_id: string; changes: Partial<NewProject> },
): Promise<ProjectView> {
  const project = await deps.projects.byId(input.project_id);
  if (!project) throw new AppError('project_not_found');
  const {
    name,
    retention,
    service_levels,
    license_policy,
    ships_products,
    embedded_vex,
    ...others
  } = input.changes;
  const { owner, labels, ...rest } = others;
  const changes = {
    ...rest,
    ...ownershipChanges({ owner, labels }),
    ...(name === undefined ? {} : { name: name.trim(), name_key: nameKeyOf(name) }),
    ...(retention === undefined ? {} : { retention: retention ?? undefined }),
    ...(ships_products === undefined
      ? {}
      : { ships_products: ships_products ? (true as const) : undefined }),
    ...(embedded_vex === undefined
      ? {}
      : { embedded_vex: embedded_vex === 'off' ? undefined : embedded_vex }),
    ...(license_policy === undefined ? {} : { license_policy: license_policy ?? undefined }),
    ...(service_levels === undefined ? {} : { service_levels: service_levels ?? undefined }),
  };
  if (Object.keys(changes).length === 0) return projectView(project);
  const changed = { ...changes, updated_at: new Date() };
  const outcome = await deps.projects.update(project._id, changed);
  if (outcome === 'gone') throw new AppError('project_not_found');
  if (outcome !== 'done') throw new AppError('project_name_taken');
  return projectView({ ...project, ...changed });
}
