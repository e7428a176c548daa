import { AppError, getProject, maxProjectsOfCaller } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { LRUCache } from 'lru-cache';
import type { Projects } from '../api-keys/domain/caller';
import type { MappedRole } from './domain/role-mapping';

/** As for keys (docs/rules.md AK2): what a slug names is at most this old. */
const maxAgeMs = 5_000;
const maxSlugs = 10_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type ResolveProjects = (roles: readonly MappedRole[]) => Promise<MappedRole[]>;

/**
 * Replaces the slugs of projects by ids. A slug without a project gives nothing; a caller has at most
 * 1,000 projects by name.
 *
 * @throws AppError `service_unavailable` if the catalog cannot be asked
 */
export function createResolveProjects({ request }: { request: Request }): ResolveProjects {
  const known = new LRUCache<string, { id: string | null }>({ max: maxSlugs, ttl: maxAgeMs });
  const asking = new Map<string, Promise<string | null>>();

  async function ask(slug: string): Promise<string | null> {
    const id = await request(getProject, { project_id: null, project_slug: slug }).then(
      ({ body }) => body.id,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'project_not_found') return null;
        throw error;
      },
    );
    known.set(slug, { id });
    return id;
  }

  async function idOf(name: string): Promise<string | null> {
    if (uuid.test(name)) return name;
    const found = known.get(name);
    if (found) return found.id;
    const asked = asking.get(name) ?? ask(name).finally(() => asking.delete(name));
    asking.set(name, asked);
    return asked;
  }

  async function idsOf(projects: Projects): Promise<Projects> {
    if (projects === 'all') return projects;
    const ids = await Promise.all(projects.map(idOf));
    return [...new Set(ids.flatMap((id) => id ?? []))].slice(0, maxProjectsOfCaller);
  }

  return (roles) =>
    Promise.all(
      roles.map(async ({ role, projects }) => ({ role, projects: await idsOf(projects) })),
    );
}
