import { randomUUID } from 'node:crypto';
import type { Api } from '../load/api';
import { percentile } from '../measure/statistics';
import { untilScanned } from '../verify/until-scanned';
import { datasetDocument } from './dataset-plan';

/** Milliseconds from sending an upload to its 201, and until its findings can be read. */
export interface UploadLatency {
  uploads: number;
  acceptedP50: number;
  acceptedP95: number;
  readableP50: number;
  readableP95: number;
}

/** One upload of known packages after the other, each to a new service, until `isOver` says so. */
export async function uploadWhile(
  isOver: (uploads: number) => boolean,
  deps: { api: Api; projectId: string; signal: AbortSignal; family: number },
): Promise<UploadLatency> {
  const { api, projectId, signal, family } = deps;
  const document = datasetDocument(family, 0);
  const accepted: number[] = [];
  const readable: number[] = [];
  do {
    const begin = performance.now();
    const id = await api.upload({ projectId, serviceName: `late-${randomUUID()}`, document });
    accepted.push(performance.now() - begin);
    await untilScanned({ api, signal }, id, { pauseMs: 2, timeoutMs: 60_000 });
    readable.push(performance.now() - begin);
  } while (!isOver(accepted.length));
  return {
    uploads: accepted.length,
    acceptedP50: percentile(accepted, 50),
    acceptedP95: percentile(accepted, 95),
    readableP50: percentile(readable, 50),
    readableP95: percentile(readable, 95),
  };
}
