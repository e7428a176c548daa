import { ApiError, type ApiClient } from '@bomtrail/api-client';
import { usageError } from '../exit-codes';

/** An id of the service, in either case. */
export const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const slugShape = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const maxSlugLength = 80;

/** A project as an upload names it: by one of the two. */
export type ProjectTarget = { project_id: string } | { project_slug: string };

/** What `--project` names: a UUID is an id, everything else a slug. @throws CliError (usage) without one */
export function projectTarget(named: string | undefined): ProjectTarget {
  if (!named)
    throw usageError(
      'Which project? Give --project, BOMTRAIL_PROJECT or `project:` in .bomtrail.yaml.',
    );
  return uuidShape.test(named) ? { project_id: named } : { project_slug: named };
}

/** The id of the project that is named. Needs the scope `read`. @throws CliError (usage) when there is none */
export async function projectId(api: ApiClient, named: string | undefined): Promise<string> {
  const target = projectTarget(named);
  if ('project_id' in target) return target.project_id;
  const [found] = (await api.projectsBySlug(target.project_slug)).items;
  if (!found)
    throw usageError(`There is no project "${target.project_slug}" that this key may see.`);
  return found.id;
}

/** The id of a service by its name, spelt exactly, or by its id. @throws CliError (usage) when there is none */
export async function serviceId(
  api: ApiClient,
  project_id: string,
  named: string,
): Promise<string> {
  const services = await api.listServices(project_id);
  const found =
    services.find(({ name }) => name === named) ??
    services.find(({ id }) => id === named.toLowerCase());
  if (!found) {
    const near = services.find(({ name }) => name.toLowerCase() === named.toLowerCase());
    const hint = near ? ` There is "${near.name}": spelling and case matter.` : '';
    throw usageError(`The project has no service "${named}".${hint}`);
  }
  return found.id;
}

/**
 * Makes the project of this slug; one that another job made meanwhile is as good. The slug is taken
 * as the name, which gives just this slug.
 *
 * @throws CliError (usage) when it is no slug, or the name belongs to a project with another slug
 */
export async function createProject(api: ApiClient, target: ProjectTarget): Promise<void> {
  const slug = creatableSlug(target);
  try {
    await api.createProject({ name: slug });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'project_name_taken') throw error;
  }
}

/** The slug of a project that may have to be created. @throws CliError (usage) when it can be none */
export function creatableSlug(target: ProjectTarget): string {
  const slug = 'project_slug' in target ? target.project_slug : '';
  if (!slugShape.test(slug) || slug.length > maxSlugLength) {
    throw usageError(
      `--create-project needs a slug as --project: a-z, 0-9 and single hyphens, at most ${maxSlugLength} characters.`,
    );
  }
  return slug;
}
