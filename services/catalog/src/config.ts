import { commonSettings } from '@bomtrail/service-kit';
import { z } from 'zod';

const wholeNumber = z.coerce.number('must be a number').int().min(1);

export const settings = commonSettings.extend({
  BOMTRAIL_RETENTION_KEEP_LAST: wholeNumber
    .max(1_000_000)
    .optional()
    .describe(
      'SBOMs of each service that are kept at least, in projects without a retention of their own; default: all, where KEEP_DAYS is not given either',
    ),
  BOMTRAIL_RETENTION_KEEP_DAYS: wholeNumber
    .max(36_500)
    .optional()
    .describe(
      'Days for which SBOMs are kept at least, in projects without a retention of their own; default: for ever, where KEEP_LAST is not given either',
    ),
  BOMTRAIL_RETENTION_INTERVAL_SECONDS: wholeNumber
    .max(24 * 3600)
    .default(60)
    .describe('Time between two rounds of deleting what is no longer kept'),
});

export type Settings = z.infer<typeof settings>;
