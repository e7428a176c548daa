import { z } from 'zod';
import { rpc } from '../define';
import type { ServiceNames } from './names';
import { id, projectScope, type ScanStatus } from './fields';
import { ownershipFields, ownershipFilter, type Ownership } from './ownership';

/** Maximum page sizes of `listAllServices` and `listServiceSboms`. */
export const maxServicesListed = 500;
export const maxServiceSbomsListed = 1_000;

/**
 * Services of one project or of all, by id, after `after`. `next`: the `after` of the next page,
 * null at the end.
 */
export const listAllServices = rpc<{ services: ServiceNames[]; next: string | null }>()({
  service: 'catalog',
  callers: ['reconciler'],
  name: 'list-all-services.v1',
  request: z.object({
    project_id: id.optional(),
    after: id.nullable(),
    limit: z.number().int().min(1).max(maxServicesListed),
  }),
});

/** An SBOM as the catalog stores it, for comparison with another service's data. */
export interface ServiceSbom {
  sbom_id: string;
  seq: number;
  digest: string;
  created_at: string;
  scan_status: ScanStatus;
  /** An advisory change is not applied to its service yet. */
  rescan_pending: boolean;
  /** The delete has begun: no read returns it. */
  deleting: boolean;
  /** Retention dropped its findings; absent: no. */
  expired?: true;
}

/**
 * SBOMs of a service by sequence number, including deleted ones that are not purged. `service`:
 * `deleting` while data of a deleted service or project may remain, `unknown` if the catalog has
 * none.
 */
export const listServiceSboms = rpc<{
  service: 'active' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: ServiceSbom[];
}>()({
  service: 'catalog',
  callers: ['reconciler'],
  name: 'list-service-sboms.v1',
  request: z.object({
    service_id: id,
    after_seq: z.number().int().min(0),
    limit: z.number().int().min(1).max(maxServiceSbomsListed),
  }),
});

/** `owner` null, no `labels`: those of the project apply alone. */
export interface ServiceView extends Ownership {
  id: string;
  name: string;
  project_id: string;
  /** The newest SBOM; null without any. */
  latest_sbom: {
    id: string;
    version: string | null;
    created_at: string;
    scan_status: ScanStatus;
    /** Retention has not dropped its content. Absent: of a catalog of an earlier release. */
    retained?: boolean;
    /** Component-set digest; null once the content is dropped, absent as above. */
    digest?: string | null;
  } | null;
}

export const listServices = rpc<ServiceView[]>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-services.v1',
  request: z.object({ project_id: id, ...ownershipFilter.shape }),
});

/**
 * Changes who is responsible for a service; absent fields stay, null clears. `project_id`: the only
 * projects that exist for the caller; null: all. Fails with `service_not_found`.
 */
export const updateService = rpc<ServiceView>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'update-service.v1',
  request: z.object({
    service_id: id,
    project_id: projectScope.nullable(),
    changes: z.object(ownershipFields),
  }),
});

/**
 * Deletes a service, with its SBOMs if `cascade`; without, a service that has SBOMs fails with
 * `service_has_sboms`. `project_id`: the only projects that exist for the caller; null: all.
 * Otherwise like `deleteProject`.
 */
export const deleteService = rpc<{ deleted: true }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'delete-service.v1',
  request: z.object({ service_id: id, cascade: z.boolean(), project_id: projectScope.nullable() }),
  timeoutMs: 60_000,
});
