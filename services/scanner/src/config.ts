import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { commonSettings, garbageGraceSeconds } from '@bomtrail/service-kit';
import { z } from 'zod';

/** Comma-separated names; null when empty. */
const ecosystems = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .superRefine((names, context) => {
    const unknown = names.filter((name) => !MATCHED_ECOSYSTEMS.includes(name));
    if (unknown.length > 0)
      context.addIssue({
        code: 'custom',
        message: `must name ecosystems that are matched; not: ${unknown.join(', ')}`,
      });
  })
  .transform((names) => (names.length === 0 ? null : names));

export const settings = commonSettings.extend({
  BOMTRAIL_GARBAGE_GRACE_SECONDS: garbageGraceSeconds,
  BOMTRAIL_ADVISORY_SOURCE: z
    .string()
    .default('')
    .describe(
      "Advisories in OSV's bulk layout: a folder, a zip file or a base URL; `starter` = only the built-in set; default: the built-in set, then OSV's public export when it can be reached",
    ),
  BOMTRAIL_ADVISORY_ECOSYSTEMS: ecosystems.describe(
    'The only ecosystems that are loaded from a base URL, between commas (`npm,PyPI,Red Hat`); default: those that an SBOM has named',
  ),
  BOMTRAIL_FEED_INTERVAL_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(7 * 24 * 3600)
    .default(3600)
    .describe(
      'Time between two looks at the advisory source. One that was set and fails is tried again after 30 s, 60 s, …; files that change, and ecosystems that are new, are looked at at once',
    ),
  BOMTRAIL_FEED_FULL_INTERVAL_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(30 * 24 * 3600)
    .default(86_400)
    .describe(
      'Time after which all advisories of an ecosystem are taken from a base URL again, to find those that have gone',
    ),
  BOMTRAIL_FEED_TIMEOUT_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe(
      'Longest silence of a server, before an answer or within it; a file may take an hour',
    ),
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
