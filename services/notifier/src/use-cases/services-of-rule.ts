import { everyOwnedService, findOwnedServices, type AlertOptions } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { isRouted } from '../domain/alert-options';

/**
 * AL9: the services of a project with the owner and one of the labels of a rule, as the catalog has
 * them now; undefined: the rule has all.
 *
 * @throws AppError `service_unavailable`
 */
export async function servicesOfRule(
  request: Request,
  rule: { project_id: string; options?: AlertOptions | undefined },
): Promise<ReadonlySet<string> | undefined> {
  const { options, project_id } = rule;
  if (!options || !isRouted(options)) return undefined;
  const { owner, labels } = options;
  const asked = {
    project_id,
    ...(owner !== null && { owner }),
    ...(labels.length > 0 && { labels }),
  };
  return everyOwnedService(async (query) => (await request(findOwnedServices, query)).body, asked);
}
