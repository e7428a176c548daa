import { z } from 'zod';
import { rpc } from '../define';
import { id } from './fields';

/**
 * The owners that keep things of a project and drop them once the catalog has deleted it
 * (docs/rules.md RA5).
 */
export type OwnerOfProjectData = 'reconciler' | 'notifier' | 'gateway';

/**
 * Who says that nothing of what was deleted is left with it, beside the catalog: ingest, once it knows
 * of every document that lost a reference; the scanner, once no scan waits any more.
 */
export type AcknowledgingOwner = OwnerOfProjectData | 'ingest' | 'scanner';

/** Three owners are asked one after the other within the time that a delete has. */
const timeoutMs = 15_000;

/** `more`: a bounded batch is done and something is left, ask again; false: nothing of it is left, nor comes again. */
export interface DeletionProgress {
  more: boolean;
}

/** Whoever deletes waits for the answer: nothing is removed yet that reads do not show anyway. */
const hide_only = z.boolean().optional();

/**
 * A deleted project: this owner drops what it keeps of it, one bounded batch a question, and answers
 * no read with any of it from the first answer on. Repeating it is harmless, also for a project that
 * the owner has never heard of.
 */
export function deleteProjectData(service: OwnerOfProjectData) {
  return rpc<DeletionProgress>()({
    service,
    name: 'delete-project-data.v1',
    request: z.object({ project_id: id, hide_only }),
    timeoutMs,
  });
}

/** The same for one service of a project that stays: `service_id` is the version line of the service. */
export const deleteServiceData = rpc<DeletionProgress>()({
  service: 'reconciler',
  name: 'delete-service-data.v1',
  request: z.object({ project_id: id, service_id: id, hide_only }),
  timeoutMs,
});

/**
 * A deleted project (`service_id` null) or one service of it: the scanner drops the scans that wait for
 * advisories, and lets none wait again.
 */
export const deleteScans = rpc<DeletionProgress>()({
  service: 'scanner',
  name: 'delete-scans.v1',
  request: z.object({ project_id: id, service_id: id.nullable() }),
  timeoutMs,
});
