import { writeSync } from 'node:fs';
import { faultPointName, faultPoints, type FaultStep } from './fault-points';

/** Called at each step, which goes on when this has ended; at an armed one it may never come back. */
export type PassFaultPoint = (step: FaultStep, of: string) => void | Promise<void>;

const stderr = 2;
const setting = /^([^@]+)(?:@([1-9]\d{0,5}))?$/;

/** Whether a text is `<point>` or `<point>@<n>`, the point being one of the table. */
export function isFaultSetting(text: string): boolean {
  const name = setting.exec(text)?.[1];
  return faultPoints.some((point) => point.name === name);
}

/** What happens at points of the table. */
export interface ArmedPoints {
  /**
   * `<point>@<n>`: where the process crashes, without a word to anybody, when it is passed for the n-th
   * time, the first one without `@<n>`.
   */
  crashAt?: string | undefined;
  /**
   * Points with commas between them: whoever passes one waits there until the process gets a SIGCONT,
   * while everything else in it goes on.
   */
  holdAt?: string | undefined;
}

/** Whether a text is points of the table with commas between them. */
export function areFaultPoints(text: string): boolean {
  return text.split(',').every((name) => faultPoints.some((point) => point.name === name));
}

/** Arms points of the table; undefined: there is nothing to pass. */
export function armFaultPoints(
  { crashAt, holdAt }: ArmedPoints,
  { crash, hold } = { crash: crashNow, hold: holdHere },
): PassFaultPoint | undefined {
  const [, crashing, passing = '1'] = setting.exec(crashAt ?? '') ?? [];
  const holding = new Set(holdAt?.split(','));
  if (crashing === undefined && holding.size === 0) return undefined;
  let left = Number(passing);
  return async (step, of) => {
    const point = faultPointName(step, of);
    if (point === crashing && --left === 0) crash(point);
    if (holding.has(point)) await hold(point);
  };
}

function holdHere(point: string): Promise<void> {
  const released = new Promise<void>((resolve) => process.once('SIGCONT', () => resolve()));
  writeSync(stderr, `Holds at the fault point ${point}.\n`);
  return released;
}

function crashNow(point: string): void {
  // At once: what a logger still holds would be lost.
  writeSync(stderr, `Crashes at the fault point ${point}.\n`);
  process.kill(process.pid, 'SIGKILL');
}
