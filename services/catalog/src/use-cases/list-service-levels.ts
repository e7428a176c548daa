import { maxLevelledProjects, type LevelledProjects } from '@bomtrail/messages';
import type { ProjectStore } from '../store/project-store';

/** Projects by their service levels. At most one more than a filter takes: then it names too many. */
export async function listServiceLevels(
  { projects }: { projects: Pick<ProjectStore, 'levels'> },
  projectId: string | undefined,
): Promise<LevelledProjects[]> {
  const groups = new Map<string, LevelledProjects>();
  for (const { _id, service_levels } of await projects.levels(projectId, maxLevelledProjects + 1)) {
    const key = JSON.stringify(Object.entries(service_levels).sort());
    const group = groups.get(key) ?? { service_levels, project_ids: [] };
    group.project_ids.push(_id);
    groups.set(key, group);
  }
  return [...groups.values()];
}
