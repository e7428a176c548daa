import { commonSettings } from '@bomtrail/service-runtime';
import { z } from 'zod';

const wholeNumber = z.coerce.number('must be a number').int().min(1);

export const settings = commonSettings.extend({
  BOMTRAIL_RETENTION_KEEP_LAST: wholeNumber
    .max(1_000_000)
    .optional()
    .describe(
      'SBOMs to keep per service, in projects without own retention; default: all, unless KEEP_DAYS is set',
    ),
  BOMTRAIL_RETENTION_KEEP_DAYS: wholeNumber
    .max(36_500)
    .optional()
    .describe(
      'Days to keep SBOMs, in projects without own retention; default: unlimited, unless KEEP_LAST is set',
    ),
  BOMTRAIL_RETENTION_INTERVAL_SECONDS: wholeNumber
    .max(24 * 3600)
    .default(60)
    .describe('Interval of retention rounds'),
});

export type Settings = z.infer<typeof settings>;
