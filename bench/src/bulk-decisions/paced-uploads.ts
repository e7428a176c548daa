import { setTimeout as sleep } from 'node:timers/promises';
import { deletesDocument } from '../deletes/deletes-document';
import type { Api } from '../load/api';
import { percentile } from '../measure/statistics';
import { untilScanned } from '../verify/until-scanned';

/** Milliseconds from sending an upload until it is scanned. */
export interface UploadTimes {
  count: number;
  p50: number;
  p95: number;
}

/** Between the beginnings of two uploads. */
const paceMs = 500;
const timeoutMs = 5 * 60_000;

/** Uploads new component sets to a project in a steady pace until `until` is done; a late one delays none. */
export async function uploadWhile(
  target: { api: Api; projectId: string; signal: AbortSignal; next: () => number },
  until: Promise<unknown>,
): Promise<UploadTimes> {
  const { api, projectId, next } = target;
  const times: number[] = [];
  const failures: unknown[] = [];
  const underWay: Promise<void>[] = [];
  let over = false;
  const ended = until.finally(() => (over = true));
  const uploadOne = async (): Promise<void> => {
    const number = next();
    const document = deletesDocument(0, number);
    const begin = performance.now();
    const id = await api.upload({ projectId, serviceName: `service-${number}`, document });
    await untilScanned(target, id, { pauseMs: 10, timeoutMs, waitSeconds: 30 });
    times.push(performance.now() - begin);
  };
  while (!over) {
    underWay.push(uploadOne().catch((error: unknown) => void failures.push(error)));
    await sleep(paceMs);
  }
  await Promise.all(underWay);
  await ended;
  if (failures.length > 0) throw failures[0];
  return { count: times.length, p50: percentile(times, 50), p95: percentile(times, 95) };
}
