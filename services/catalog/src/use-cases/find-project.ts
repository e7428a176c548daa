import { AppError } from '@bomtrail/messages';
import type { ProjectDocument } from '../store/documents';
import type { ProjectStore } from '../store/project-store';

/** The project that a client named by id or slug. @throws AppError `project_not_found` */
export async function findProject(
  deps: { projects: ProjectStore },
  named: { project_id: string | null; project_slug: string | null },
): Promise<ProjectDocument> {
  const project =
    named.project_id !== null
      ? await deps.projects.byId(named.project_id)
      : named.project_slug !== null
        ? await deps.projects.bySlug(named.project_slug)
        : null;
  if (!project) throw new AppError('project_not_found');
  return project;
}
