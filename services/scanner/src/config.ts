import { commonSettings } from '@bomtrail/service-kit';
import { z } from 'zod';

export const settings = commonSettings.extend({
  BOMTRAIL_ADVISORY_SOURCE: z
    .string()
    .default('')
    .describe(
      "Advisories in OSV's bulk layout: a folder, a zip file or a base URL; `starter` = only the built-in set; default: the built-in set, then OSV's public export when it can be reached",
    ),
  BOMTRAIL_FEED_INTERVAL_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(7 * 24 * 3600)
    .default(3600)
    .describe('Time between two looks at the advisory source'),
  BOMTRAIL_FEED_STALE_AFTER_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(60)
    .max(365 * 24 * 3600)
    .default(172_800)
    .describe(
      'Age of advisory data above which answers no longer count as judged by them (`feed_stale`)',
    ),
});

export type Settings = z.infer<typeof settings>;
