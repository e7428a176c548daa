import { percentile } from '../measure/statistics';
import type { SendUpload } from './api';
import { inParallel } from './in-parallel';

/** What became of a load of uploads. */
export interface Sent {
  /** Of the SBOM records, in the order of the uploads. */
  ids: string[];
  /** From the first request to the last 201. */
  seconds: number;
  acceptMs: number[];
}

/** Sends all uploads, `clients` at a time, each as soon as one before it is answered. */
export async function sendAll(uploads: readonly SendUpload[], clients: number): Promise<Sent> {
  const acceptMs: number[] = [];
  const begin = performance.now();
  const ids = await inParallel(uploads, clients, async (send) => {
    const sent = performance.now();
    const id = await send();
    acceptMs.push(performance.now() - sent);
    return id;
  });
  return { ids, seconds: (performance.now() - begin) / 1000, acceptMs };
}

/** The figures of the 201s. */
export function acceptFigures({ ids, seconds, acceptMs }: Sent) {
  return {
    accepted_per_second: ids.length / seconds,
    accept_ms_p50: percentile(acceptMs, 50),
    accept_ms_p95: percentile(acceptMs, 95),
  };
}
