import type { Context } from '../context';
import { projectId, serviceId } from '../gate/project-target';

/** The project and service that are set, by id; empty without a project. @throws CliError (usage) */
export async function scopeOf({
  api,
  settings,
}: Context): Promise<{ project_id?: string; service_id?: string }> {
  if (!settings.project) return {};
  const project_id = await projectId(api, settings.project);
  if (!settings.service) return { project_id };
  return { project_id, service_id: await serviceId(api, project_id, settings.service) };
}
