import { getProject, type UploadTarget } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { LRUCache } from 'lru-cache';

export type ProjectName = Pick<UploadTarget, 'project_id' | 'project_slug'>;

/** @throws AppError `project_not_found` */
export type AssertProject = (project: ProjectName) => Promise<void>;

const cacheOptions = { max: 10_000, ttl: 5_000 };

/**
 * Checks with the catalog that a project exists, before expensive work. Positive results are cached
 * for seconds: the registration checks again. Negative results are not cached.
 */
export function createAssertProject(request: Request): AssertProject {
  const there = new LRUCache<string, true>(cacheOptions);
  return async ({ project_id, project_slug }) => {
    const name = JSON.stringify([project_id, project_slug]);
    if (there.get(name)) return;
    await request(getProject, { project_id, project_slug });
    there.set(name, true);
  };
}
