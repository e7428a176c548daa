import type { BenchReport } from './bench-reports';
import { measuredSpeed } from './costs';

type Speed = keyof typeof measuredSpeed;
const speeds = Object.keys(measuredSpeed) as Speed[];
/** The two calibrations of a report differ by this factor at most: more, and the machine was busy with something else. */
const steady = 1.3;

/**
 * How many times as slow a core is as one of the machine on which the costs were measured: by hashing and by parsing
 * JSON, before and after the scenarios. Either speed alone is off by up to 1.6 times on a busy machine.
 */
export function slownessOf({ calibration: { before, after } }: BenchReport): number {
  const ratio = (name: Speed): number => measuredSpeed[name] / ((before[name] + after[name]) / 2);
  return Math.sqrt(ratio('sha256MbPerSecond') * ratio('jsonParseMbPerSecond'));
}

/** True if the speed of a core changed while the report was made: its figures say little. */
export function isUnsteady({ calibration: { before, after } }: BenchReport): boolean {
  return speeds.some((name) => {
    const ratio = after[name] / before[name];
    return Math.max(ratio, 1 / ratio) > steady;
  });
}
