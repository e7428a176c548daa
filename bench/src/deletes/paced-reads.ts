import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../load/api';
import { percentile } from '../measure/statistics';

/** Milliseconds of the reads of one kind. */
export interface ReadTimes {
  count: number;
  p50: number;
  p95: number;
}

export type ReadKind = 'list' | 'detail';
export type Reads = Record<ReadKind, ReadTimes>;

/** Between the beginnings of two reads: well below what two cores can answer, however slow the answers are. */
const paceMs = 50;

/**
 * Reads another project, the active list and the detail of an SBOM in turns, in a steady pace until
 * `until` is done. A read that is late keeps none behind it waiting.
 */
export async function readWhile(
  target: { api: Api; serviceId: string; sbomId: string },
  until: Promise<unknown>,
): Promise<Reads> {
  const { api, serviceId, sbomId } = target;
  const times: Record<ReadKind, number[]> = { list: [], detail: [] };
  const underWay: Promise<void>[] = [];
  const failures: unknown[] = [];
  let over = false;
  const ended = until.finally(() => (over = true));
  const read = async (kind: ReadKind): Promise<void> => {
    const begin = performance.now();
    await (kind === 'list' ? api.listActive(serviceId) : api.readSbom(sbomId));
    times[kind].push(performance.now() - begin);
  };
  for (let count = 0; !over; count += 1) {
    const kind = count % 2 === 0 ? 'list' : 'detail';
    underWay.push(read(kind).catch((error: unknown) => void failures.push(error)));
    await sleep(paceMs);
  }
  await Promise.all(underWay);
  await ended;
  if (failures.length > 0) throw failures[0];
  return { list: summary(times.list), detail: summary(times.detail) };
}

function summary(values: readonly number[]): ReadTimes {
  return { count: values.length, p50: percentile(values, 50), p95: percentile(values, 95) };
}
