import { z } from 'zod';

/** Setting `BOMTRAIL_GARBAGE_GRACE_SECONDS` of the services with garbage-collected content. */
export const garbageGraceSeconds = z.coerce
  .number('must be a number of seconds')
  .int()
  .min(1)
  .max(30 * 24 * 3600)
  .default(3600)
  .describe(
    'How long unreferenced content stays stored: longer than any upload, the same in all services',
  );

/** Maximum intervals of the sweeps, in seconds. */
const maxCheckSeconds = 300;
const maxDropSeconds = 60;

/**
 * Returns the intervals of the garbage sweeps in seconds: `drop` removes content past its grace period, `check`
 * marks unreferenced content, one page per run.
 */
export function garbageSweepSeconds(graceMs: number): { drop: number; check: number } {
  const tenth = Math.max(1, graceMs / 10_000);
  return { drop: Math.min(maxDropSeconds, tenth), check: Math.min(maxCheckSeconds, tenth) };
}
