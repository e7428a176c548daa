import { mkdirSync } from 'node:fs';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { calibrate, type Calibration } from './calibration';

/** The speed of the machine before and after: they differ when the machine was busy otherwise. */
export interface Calibrations {
  before: Calibration;
  after: Calibration;
}

/** Runs `work` in the folder `keep`, created if missing, or in a temporary one. */
export async function inFolder<Result>(
  { name, keep }: { name: string; keep?: string },
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (keep === undefined) return withTemporaryFolder(name, work);
  mkdirSync(keep, { recursive: true });
  return work(keep);
}

/** Calibrates before and after `work`. */
export async function calibrated<Result extends object>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result & { calibration: Calibrations }> {
  const before = calibrate(folder);
  const result = await work();
  return { ...result, calibration: { before, after: calibrate(folder) } };
}
