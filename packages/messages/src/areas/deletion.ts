import { z } from 'zod';
import { rpc } from '../define';
import { id } from './fields';

/**
 * Services that store data of projects and delete it after the catalog deleted the project
 * (docs/rules.md RA5).
 */
export const ownersOfProjectData = ['reconciler', 'notifier', 'gateway'] as const;
export type OwnerOfProjectData = (typeof ownersOfProjectData)[number];

/**
 * Services that confirm, besides the catalog, that no data of a deletion is left: ingest once it
 * knows every document that lost a reference, the scanner once no scan is waiting.
 */
export type AcknowledgingOwner = OwnerOfProjectData | 'ingest' | 'scanner';

/** A delete calls three owners in sequence within its own timeout. */
const timeoutMs = 15_000;

/**
 * `more`: true if data are left after this bounded batch (repeat the request); false if none are
 * left and none will be added.
 */
export interface DeletionProgress {
  more: boolean;
}

/** Only hide the data from reads, since a caller is waiting. */
const hide_only = z.boolean().optional();

/**
 * Deletes a bounded batch of the data of a deleted project. From the first response on no read of
 * this owner returns any of it. Idempotent, also for unknown projects.
 */
export function deleteProjectData(service: OwnerOfProjectData) {
  return rpc<DeletionProgress>()({
    service,
    callers: ['catalog'],
    name: 'delete-project-data.v1',
    request: z.object({ project_id: id, hide_only }),
    timeoutMs,
  });
}

/** Like `deleteProjectData`, for one service. */
export const deleteServiceData = rpc<DeletionProgress>()({
  service: 'reconciler',
  callers: ['catalog'],
  name: 'delete-service-data.v1',
  request: z.object({ project_id: id, service_id: id, hide_only }),
  timeoutMs,
});

/**
 * Drops waiting scans of a deleted project (`service_id` null) or service, and rejects new ones.
 */
export const deleteScans = rpc<DeletionProgress>()({
  service: 'scanner',
  callers: ['catalog'],
  name: 'delete-scans.v1',
  request: z.object({ project_id: id, service_id: id.nullable() }),
  timeoutMs,
});
