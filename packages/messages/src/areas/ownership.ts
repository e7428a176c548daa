import { z } from 'zod';
import { rpc } from '../define';
import { id, projectScope, type ProjectScope } from './fields';

/** Maximum characters of an owner. */
export const maxOwnerLength = 255;
/** Maximum labels of a project or service, and of one filter. */
export const maxLabels = 20;
/** Maximum characters of a label. */
export const maxLabelLength = 64;

/** Who is responsible, and labels, as clients give them. Null clears; absent fields stay. */
export const ownershipFields = {
  owner: z.string().max(maxOwnerLength).nullable().optional(),
  labels: z.array(z.string().max(maxLabelLength)).max(maxLabels).nullable().optional(),
};

/** Who is responsible for a project or service, and its labels. */
export interface Ownership {
  /** A team or a person, free text; null: none. */
  owner: string | null;
  labels: string[];
}

/** A filter by owner and labels; of several labels one suffices. At least one of the two is given. */
export const ownershipFilter = z.object({
  owner: z.string().max(maxOwnerLength).optional(),
  labels: z.array(z.string().max(maxLabelLength)).min(1).max(maxLabels).optional(),
});
export type OwnershipFilter = z.infer<typeof ownershipFilter>;

/** Maximum services that a filter by owner and labels may select. */
export const maxOwnedServices = 2_000;

/**
 * The services with this owner, or with any or without one, and one of these labels, their own or their
 * project's, by id (docs/rules.md OW3, OW4, OW6). `complete`: false if there are more than `maxOwnedServices`; the list is
 * empty then, unless `after` asks for the part after an id (null: the first).
 */
export const findOwnedServices = rpc<{ service_ids: string[]; complete: boolean }>()({
  service: 'catalog',
  callers: ['gateway', 'notifier', 'reconciler'],
  name: 'find-owned-services.v1',
  request: ownershipFilter.extend({
    has_owner: z.boolean().optional(),
    project_id: projectScope.optional(),
    after: id.nullable().optional(),
  }),
});

type OwnedServicesQuery = OwnershipFilter & {
  project_id?: ProjectScope | undefined;
  after?: string | null | undefined;
};

/** All services that a filter selects, however many, by as many requests as it takes. */
export async function everyOwnedService(
  ask: (query: OwnedServicesQuery) => Promise<{ service_ids: string[]; complete: boolean }>,
  filter: Omit<OwnedServicesQuery, 'after'>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let after: string | null = null; ;) {
    const part = await ask({ ...filter, after });
    for (const service of part.service_ids) found.add(service);
    after = part.service_ids.at(-1) ?? null;
    if (part.complete || after === null) return found;
  }
}
