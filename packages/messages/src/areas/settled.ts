import { z } from 'zod';
import { rpc, type NoticeDefinition } from '../define';
import { id } from './fields';

/** SBOMs that one question or notice names at most. */
export const maxSettledSboms = 1_000;

const sbomIds = z.object({ sbom_ids: z.array(id).max(maxSettledSboms) });

/** Of these SBOMs the scan is over now, well or badly. */
export const sbomsSettled: NoticeDefinition<{ sbom_ids: string[] }> = {
  subject: 'notice.sboms-settled.v1',
  payload: sbomIds,
};

/** Those of these SBOMs that do not wait for their scan: it is over, or they are gone. */
export const listSettled = rpc<{ sbom_ids: string[] }>()({
  service: 'catalog',
  name: 'list-settled.v1',
  request: sbomIds,
});
