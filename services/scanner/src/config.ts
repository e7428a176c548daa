import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { garbageGraceSeconds } from '@bomtrail/deletion';
import { commonSettings, proxySettings } from '@bomtrail/service-runtime';
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
        message: `must name supported ecosystems; unsupported: ${unknown.join(', ')}`,
      });
  })
  .transform((names) => (names.length === 0 ? null : names));

/** A path, or a valid address: another scheme would be looked for as a folder. */
function isSource(text: string): boolean {
  return !/^(https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text) || isWebAddress(text);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The messages must not contain the address, which may contain a secret. */
const source = z
  .string()
  .refine(isSource, 'must be a path or a valid URL with https:// or http://')
  .default('');

/** Comma-separated folders and addresses, each once. */
const vexSources = z
  .string()
  .default('')
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    ),
  ])
  .superRefine((all, context) => {
    if (!all.every(isSource))
      context.addIssue({ code: 'custom', message: 'has an address that is not a valid URL' });
  });

export const settings = commonSettings.extend({
  ...proxySettings.shape,
  BOMTRAIL_GARBAGE_GRACE_SECONDS: garbageGraceSeconds,
  BOMTRAIL_ADVISORY_SOURCE: source.describe(
    "Advisories in OSV's bulk layout: a folder, a zip file, a base URL, or `starter` (the built-in set); default: OSV's public export, until it is reached the built-in set",
  ),
  BOMTRAIL_EPSS_SOURCE: source.describe(
    "EPSS scores: a file, a folder with `epss_scores-*.csv[.gz]`, a URL, or `off`; default: FIRST's public address",
  ),
  BOMTRAIL_KEV_SOURCE: source.describe(
    "Known exploited vulnerabilities: a file, a folder with `known_exploited_vulnerabilities*.json`, a URL, or `off`; default: CISA's public address",
  ),
  BOMTRAIL_VEX_SOURCES: vexSources.describe(
    'Watched VEX documents for all projects, comma-separated: folders, CSAF `provider-metadata.json`, VEX repositories',
  ),
  BOMTRAIL_CVE_SOURCE: z
    .string()
    .refine((text) => !text.includes('://'), 'must be a path')
    .default('')
    .describe(
      'CVE records (CVE JSON 5) that rate vulnerabilities without a severity: a folder or a zip file',
    ),
  BOMTRAIL_ADVISORY_ECOSYSTEMS: ecosystems.describe(
    'Ecosystems to load from a base URL, comma-separated (`npm,PyPI,Red Hat`); default: those used by any SBOM',
  ),
  BOMTRAIL_FEED_INTERVAL_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(7 * 24 * 3600)
    .default(3600)
    .describe(
      'Interval between polls; failed ones are retried after 30 s, 60 s, …; changed files and new ecosystems are loaded at once',
    ),
  BOMTRAIL_FEED_FULL_INTERVAL_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(30 * 24 * 3600)
    .default(86_400)
    .describe('Interval between full loads from a base URL, which find removed advisories'),
  BOMTRAIL_FEED_TIMEOUT_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe('Timeout for the response of a server and between chunks; a file may take an hour'),
  BOMTRAIL_FEED_STALE_AFTER_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(60)
    .max(365 * 24 * 3600)
    .default(172_800)
    .describe('Age above which advisory data counts as stale (`feed_stale`)'),
});

export type Settings = z.infer<typeof settings>;
