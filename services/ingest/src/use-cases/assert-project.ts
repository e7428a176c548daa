import { getProject, type UploadTarget } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';

export type ProjectName = Pick<UploadTarget, 'project_id' | 'project_slug'>;

/** @throws AppError `project_not_found` */
export type AssertProject = (project: ProjectName) => Promise<void>;

const cacheOptions = { max: 10_000, ttl: 5_000 };

/**
 * Asks the catalog whether there is such a project, before there is work for it. That there is one is
 * remembered for seconds: the registration asks again, so that a project which was deleted meanwhile
 * costs some work and gets nothing. That there is none is not remembered: it may be created now.
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
