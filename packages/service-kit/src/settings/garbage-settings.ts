import { z } from 'zod';

/** The setting `BOMTRAIL_GARBAGE_GRACE_SECONDS` of the services that keep content which goes when nothing refers to it any more. */
export const garbageGraceSeconds = z.coerce
  .number('must be a number of seconds')
  .int()
  .min(1)
  .max(30 * 24 * 3600)
  .default(3600)
  .describe(
    'How long content to which nothing refers stays; must be longer than any upload takes, the same in all services',
  );

/** Sweeps look often enough that the grace is what counts, and seldom enough to cost nothing. */
const lookAtMost = 300;
const dropAtMost = 60;

/**
 * How often the sweeps look, in seconds: `drop` for what is condemned long enough, `look` for a page
 * of what may have been missed.
 */
export function garbageSweepSeconds(graceMs: number): { drop: number; look: number } {
  const tenth = Math.max(1, graceMs / 10_000);
  return { drop: Math.min(dropAtMost, tenth), look: Math.min(lookAtMost, tenth) };
}
