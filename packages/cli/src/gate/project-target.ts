import { ApiError, type ApiClient } from '@bomtrail/api-client';
import { usageError } from '../exit-codes';

/** A UUID, in either case. */
export const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const slugShape = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const maxSlugLength = 80;

/** Project of an upload: by id or slug. */
export type ProjectTarget = { project_id: string } | { project_slug: string };

/** Parses `--project`: a UUID is an id, everything else a slug. @throws CliError (usage) if not given */
export function projectTarget(named: string | undefined): ProjectTarget {
  if (!named)
    throw usageError(
      'No project given. Set --project, BOMTRAIL_PROJECT or `project:` in .bomtrail.yaml.',
    );
  return uuidShape.test(named) ? { project_id: named } : { project_slug: named };
}

/** Resolves a project to its id. Needs the scope `read`. @throws CliError (usage) if it does not exist */
export async function projectId(api: ApiClient, named: string | undefined): Promise<string> {
  const target = projectTarget(named);
  if ('project_id' in target) return target.project_id;
  const [found] = (await api.projectsBySlug(target.project_slug)).items;
  if (!found) throw usageError(`No project "${target.project_slug}" is visible to this key.`);
  return found.id;
}

/** Resolves a service by its exact name or id. @throws CliError (usage) if it does not exist */
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
    const hint = near ? ` Names are case-sensitive; there is "${near.name}".` : '';
    throw usageError(`The project has no service "${named}".${hint}`);
  }
  return found.id;
}

/**
 * Creates a project with this slug as its name. A project that another job has just created is not an error.
 *
 * @throws CliError (usage) if it is not a slug, or the name belongs to a project with another slug
 */
export async function createProject(api: ApiClient, target: ProjectTarget): Promise<void> {
  const slug = creatableSlug(target);
  try {
    await api.createProject({ name: slug });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope')
      throw usageError(
        `The project "${slug}" does not exist, and this key cannot create it: that needs the scope write. Create it once with \`bomtrail projects create ${slug}\`, or use a key with the scopes upload and write.`,
      );
    if (!(error instanceof ApiError) || error.code !== 'project_name_taken') throw error;
  }
}

/** Returns the slug of a project to create. @throws CliError (usage) if it is not a valid slug */
export function creatableSlug(target: ProjectTarget): string {
  const slug = 'project_slug' in target ? target.project_slug : '';
  if (!slugShape.test(slug) || slug.length > maxSlugLength) {
    throw usageError(
      `--create-project needs a slug as --project: a-z, 0-9 and single hyphens, at most ${maxSlugLength} characters.`,
    );
  }
  return slug;
}
