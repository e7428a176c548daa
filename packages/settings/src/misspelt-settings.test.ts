import { z } from 'zod';
import { misspeltSettings } from './misspelt-settings';

const schema = z.object({
  FEED_STALE_AFTER_SECONDS: z.string().optional(),
  KEV_SOURCE: z.string().optional(),
  CVE_SOURCE: z.string().optional(),
  PORT: z.string().optional(),
});

test.each([
  ['FEED_STALE_AFTER_SECOND', 'FEED_STALE_AFTER_SECONDS'],
  ['FEED_STALE_AFTRE_SECONDS', 'FEED_STALE_AFTER_SECONDS'],
  ['FEED_STALE_AFTER_SECONDS_FIEL', 'FEED_STALE_AFTER_SECONDS_FILE'],
  ['KEV_SOURCES', 'KEV_SOURCE'],
])('%s nearly names %s', (name, meant) => {
  expect(misspeltSettings(schema, { [name]: '1' })).toEqual([{ name, meant }]);
});

test.each<[string, NodeJS.ProcessEnv]>([
  ['a setting', { KEV_SOURCE: 'x', FEED_STALE_AFTER_SECONDS_FILE: 'y' }],
  ['what names another setting', { FEED_INTERVAL_SECONDS: '1', PATH: 'x', HOSTNAME: 'y' }],
  ['a short name', { PORTS: '1' }],
  ['what is near a setting that is set', { KEV_SOURCE: 'x', KEV_SOURCES: 'y' }],
])('%s is not misspelt', (_what, environment) => {
  expect(misspeltSettings(schema, { CVE_SOURCE: 'x', ...environment })).toEqual([]);
});
