import * as messages from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import type { Caller } from '../api-keys/domain/caller';
import type { NamingDeps } from '../projects/service-names';
import type { NamedVulnerability } from '../csv/columns';
import { partsAfter } from '../csv/csv-reply';
import { publicService } from '../shared/public-service';
import { filtersOf, type ActiveFilters } from './list-active';

/**
 * All vulnerabilities in some states that a caller may see and the filters select, in parts.
 *
 * @throws AppError `service_unavailable`
 */
export async function* exportVulnerabilities(
  deps: NamingDeps,
  caller: Caller,
  requested: ActiveFilters & { statuses: readonly messages.VulnerabilityStatus[] },
): AsyncGenerator<readonly NamedVulnerability[]> {
  const query = await filtersOf(deps, caller, requested);
  if (query === 'nothing') return;
  const statuses = [...requested.statuses];
  yield* partsAfter<NamedVulnerability, messages.ExportCursor>(async (after) => {
    const named = deps.nameServices();
    const { body, attachment } = await deps.request(messages.exportVulnerabilities, {
      ...query,
      statuses,
      after,
    });
    if (!attachment) throw new Error('A part of an export has no attachment.');
    const items = (await unpackJson(attachment)) as messages.ExportedView[];
    return { items: withNames(items, await named(items)), next: body.next };
  });
}

/** Adds names of the catalog; vulnerabilities of services deleted meanwhile are omitted. */
function withNames(
  part: readonly messages.ExportedView[],
  names: ReadonlyMap<string, messages.ServiceNames>,
): NamedVulnerability[] {
  return part.flatMap(({ service_id, ...one }): NamedVulnerability[] => {
    const service = names.get(service_id);
    if (!service) return [];
    const { project_name, owner = null } = service;
    const due_at = messages.dueAt(one, service.service_levels);
    return [{ ...one, project_name, ...publicService(service), owner, due_at }];
  });
}
