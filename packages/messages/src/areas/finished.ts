import { z } from 'zod';
import { rpc, type BroadcastDefinition } from '../define';
import { id } from './fields';

/** Maximum SBOM ids per request or broadcast. */
export const maxFinishedSboms = 1_000;

const sbomIds = z.object({ sbom_ids: z.array(id).max(maxFinishedSboms) });

/** Broadcast: the scans of these SBOMs finished or failed. */
export const sbomsFinished: BroadcastDefinition<{ sbom_ids: string[] }> = {
  subject: 'broadcast.sboms-finished.v1',
  publishers: ['catalog'],
  listeners: ['gateway'],
  payload: sbomIds,
};

/** Returns those of these SBOMs whose scan is not pending, including deleted ones. */
export const listFinished = rpc<{ sbom_ids: string[] }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-finished.v1',
  request: sbomIds,
});
