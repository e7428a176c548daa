import { z } from 'zod';
import { areFaultPoints, isFaultSetting } from './arm-fault-point';

/** Settings that arm fault points in tests. */
export const faultSettings = z.object({
  BOMTRAIL_TEST_CRASH_AT: z
    .string()
    .refine(isFaultSetting, 'must be a fault point, or <fault point>@<n>')
    .optional()
    .describe('For tests: the process crashes when it reaches this fault point for the n-th time'),
  BOMTRAIL_TEST_HOLD_AT: z
    .string()
    .refine(areFaultPoints, 'must be comma-separated fault points')
    .optional()
    .describe('For tests: work that reaches one of these fault points pauses until a SIGCONT'),
});
