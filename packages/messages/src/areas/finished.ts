import { z } from 'zod';
import { rpc, type BroadcastDefinition } from '../define';
import { id } from './fields';

/** SBOMs that one question or notice names at most. */
export const maxFinishedSboms = 1_000;

const sbomIds = z.object({ sbom_ids: z.array(id).max(maxFinishedSboms) });

/** Of these SBOMs the scan is over now, well or badly. */
export const sbomsFinished: BroadcastDefinition<{ sbom_ids: string[] }> = {
  subject: 'broadcast.sboms-finished.v1',
  payload: sbomIds,
};

/** Those of these SBOMs that do not wait for their scan: it is over, or they are gone. */
export const listFinished = rpc<{ sbom_ids: string[] }>()({
  service: 'catalog',
  name: 'list-finished.v1',
  request: sbomIds,
});
