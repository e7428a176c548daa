import { writeSync } from 'node:fs';
import { faultPointName, faultPoints, type FaultStep } from './fault-points';

/** Called at each fault point; at an armed one it may never resolve. */
export type PassFaultPoint = (step: FaultStep, of: string) => void | Promise<void>;

const stderr = 2;
const setting = /^([^@]+)(?:@([1-9]\d{0,5}))?$/;

/** True for `<point>` or `<point>@<n>` with a known fault point. */
export function isFaultSetting(text: string): boolean {
  const name = setting.exec(text)?.[1];
  return faultPoints.some((point) => point.name === name);
}

/** The armed fault points. */
export interface ArmedPoints {
  /**
   * `<point>@<n>`: the process is killed when it reaches the point for the n-th time; the first time without
   * `@<n>`.
   */
  crashAt?: string | undefined;
  /**
   * Comma-separated points: work that reaches one pauses until the process gets a SIGCONT; other work goes on.
   */
  holdAt?: string | undefined;
}

/** True for comma-separated known fault points. */
export function areFaultPoints(text: string): boolean {
  return text.split(',').every((name) => faultPoints.some((point) => point.name === name));
}

/** Arms fault points; returns undefined if there are none. */
export function armFaultPoints(
  { crashAt, holdAt }: ArmedPoints,
  { crash, hold } = { crash: crashNow, hold: pauseHere },
): PassFaultPoint | undefined {
  const [, crashing, count = '1'] = setting.exec(crashAt ?? '') ?? [];
  const holding = new Set(holdAt?.split(','));
  if (crashing === undefined && holding.size === 0) return undefined;
  let left = Number(count);
  return async (step, of) => {
    const point = faultPointName(step, of);
    if (point === crashing && --left === 0) crash(point);
    if (holding.has(point)) await hold(point);
  };
}

function pauseHere(point: string): Promise<void> {
  const released = new Promise<void>((resolve) => process.once('SIGCONT', () => resolve()));
  writeSync(stderr, `Paused at the fault point ${point}.\n`);
  return released;
}

function crashNow(point: string): void {
  // Synchronous: buffered log output would be lost.
  writeSync(stderr, `Crashing at the fault point ${point}.\n`);
  process.kill(process.pid, 'SIGKILL');
}
