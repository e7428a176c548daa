import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';

/**
 * The filter `overdue` as the reconciler takes it: with the service levels of the projects, which the catalog has.
 * Undefined: no such filter.
 *
 * @param isOverdue undefined: there is no such filter
 * @param within undefined: all projects; of several, the limits of all are known
 * @throws AppError `service_unavailable` if too many projects have service levels
 */
export async function overdueFilter(
  { request }: { request: Request },
  isOverdue: boolean | undefined,
  within: messages.ProjectScope | undefined,
): Promise<messages.ListFilters['overdue']> {
  if (isOverdue === undefined) return undefined;
  const project_id = typeof within === 'string' ? within : undefined;
  const { body } = await request(messages.listServiceLevels, { project_id });
  const count = body.reduce((sum, { project_ids }) => sum + project_ids.length, 0);
  if (count > messages.maxLevelledProjects)
    throw new AppError(
      'service_unavailable',
      `More than ${messages.maxLevelledProjects} projects have service levels: add project_id.`,
    );
  return { is: isOverdue, limits: messages.dueLimits(body, Date.now()) };
}
