import { writeSync } from 'node:fs';
import { faultPointName, faultPoints, type FaultStep } from './fault-points';

/** Called at each step; at the armed one it does not come back. */
export type PassFaultPoint = (step: FaultStep, of: string) => void;

const stderr = 2;
const setting = /^([^@]+)(?:@([1-9]\d{0,5}))?$/;

/** Whether a text is `<point>` or `<point>@<n>`, the point being one of the table. */
export function isFaultSetting(text: string): boolean {
  const name = setting.exec(text)?.[1];
  return faultPoints.some((point) => point.name === name);
}

/**
 * Makes the process crash at a point of the table, without a word to anybody, when it passes it for the
 * n-th time.
 *
 * @param text `<point>@<n>`, the first time without `@<n>`; absent: there is nothing to pass
 */
export function armFaultPoint(
  text: string | undefined,
  crash: (point: string) => void = crashNow,
): PassFaultPoint | undefined {
  const [, armed, passing = '1'] = setting.exec(text ?? '') ?? [];
  if (armed === undefined) return undefined;
  let left = Number(passing);
  return (step, of) => {
    if (faultPointName(step, of) === armed && --left === 0) crash(armed);
  };
}

function crashNow(point: string): void {
  // At once: what a logger still holds would be lost.
  writeSync(stderr, `Crashes at the fault point ${point}.\n`);
  process.kill(process.pid, 'SIGKILL');
}
