import * as messages from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { Caller } from '../api-keys/domain/caller';
import type { NamedVulnerability } from '../csv/columns';
import { partsAfter } from '../csv/csv-reply';
import { publicService } from '../shared/public-service';
import { filtersOf, type ActiveFilters } from './list-active';

/** Maximum services per request for names. */
const namedAtOnce = 200;

/**
 * All vulnerabilities in some states that a caller may see and the filters select, in parts.
 *
 * @throws AppError `service_unavailable`
 */
export async function* exportVulnerabilities(
  deps: { request: Request },
  caller: Caller,
  requested: ActiveFilters & { statuses: readonly messages.VulnerabilityStatus[] },
): AsyncGenerator<readonly NamedVulnerability[]> {
  const query = await filtersOf(deps, caller, requested);
  if (query === 'nothing') return;
  const statuses = [...requested.statuses];
  yield* partsAfter<NamedVulnerability, messages.ExportCursor>(async (after) => {
    const { body, attachment } = await deps.request(messages.exportVulnerabilities, {
      ...query,
      statuses,
      after,
    });
    if (!attachment) throw new Error('A part of an export has no attachment.');
    const items = (await unpackJson(attachment)) as messages.ExportedView[];
    return { items: await named(deps, items), next: body.next };
  });
}

/** Adds names of the catalog; vulnerabilities of services deleted meanwhile are omitted. */
async function named(
  { request }: { request: Request },
  part: readonly messages.ExportedView[],
): Promise<NamedVulnerability[]> {
  const ids = [...new Set(part.map(({ service_id }) => service_id))];
  const nameOf = new Map<string, messages.ServiceNames>();
  for (let from = 0; from < ids.length; from += namedAtOnce) {
    const service_ids = ids.slice(from, from + namedAtOnce);
    const { body } = await request(messages.nameServices, { service_ids });
    for (const service of body) nameOf.set(service.service_id, service);
  }
  return part.flatMap(({ service_id, ...one }): NamedVulnerability[] => {
    const service = nameOf.get(service_id);
    if (!service) return [];
    const { project_name, owner = null } = service;
    const due_at = messages.dueAt(one, service.service_levels);
    return [{ ...one, project_name, ...publicService(service), owner, due_at }];
  });
}
