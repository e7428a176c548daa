import { readFileSync } from 'node:fs';
import { serviceNames } from '@bomtrail/messages';
import { commonSettings } from '@bomtrail/service-runtime';
import { settingsSchemas } from './schemas';
import { settingsPage, settingsPageFile } from './settings-page';
import { UndescribedSettings } from './describe-setting';

const schemas = settingsSchemas('src');
const page = settingsPage(schemas);

/** What stands under a heading of the page. */
function section(title: string): string {
  return page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** The cells behind a setting's name, in the section of a service. */
function row(title: string, setting: string): string[] {
  const line = section(title)
    .split('\n')
    .find((one) => one.startsWith(`| \`${setting}\` |`));
  return line?.slice(2, -2).split(' | ').slice(1) ?? [];
}

test('the page is up to date: run `npm run gen`', () => {
  expect(readFileSync(settingsPageFile, 'utf8')).toBe(page);
});

test.each(serviceNames)('every setting of %s stands under its name or under all, once', (name) => {
  const listed = [...`${section('Every service')}\n${section(name)}`.matchAll(/^\| `(\w+)` \|/gm)];
  expect(listed.map((match) => match[1]).sort()).toEqual(Object.keys(schemas[name].shape).sort());
});

test('a row says bounds, words, default and form, as the parser takes them', () => {
  expect(row('Every service', 'SHUTDOWN_GRACE_SECONDS').slice(0, 2)).toEqual([
    'whole number, 1 to 600',
    '`20`',
  ]);
  expect(row('Every service', 'LOG_FORMAT').slice(0, 2)).toEqual(['`json`, `text`', '`json`']);
  expect(row('Every service', 'MONGODB_URI').slice(0, 2)).toEqual([
    'must begin with mongodb:// or mongodb+srv://',
    'required',
  ]);
  expect(row('Every service', 'NATS_REPLICAS').slice(0, 2)).toEqual(['1, 3 or 5', '']);
  expect(row('gateway', 'UPLOAD_QUEUE').slice(0, 2)).toEqual(['whole number from 1', '`256`']);
  expect(row('Every service', 'MONGODB_DATABASE_PREFIX')[2]).toMatch(/\\<prefix>\\<service>$/);
  expect(row('notifier', 'SMTP_FROM')[0]).toBe('an address, or Name \\<address>');
});

test('a setting of several services says who else reads it', () => {
  expect(row('gateway', 'PUBLIC_URL')[2]).toMatch(/Also read by notifier$/);
  expect(row('ingest', 'BOMTRAIL_GARBAGE_GRACE_SECONDS')[2]).toMatch(
    /Also read by scanner and reconciler$/,
  );
});

test('a setting that several services read alike is described once', () => {
  expect(row('scanner', 'BOMTRAIL_GARBAGE_GRACE_SECONDS')).toEqual([
    '',
    '',
    'See [ingest](#ingest)',
  ]);
  expect(row('notifier', 'PUBLIC_URL')[2]).toMatch(/links in messages/);
});

test('a setting without a description is a mistake', () => {
  const LOG_FORMAT = commonSettings.shape.LOG_FORMAT.unwrap();
  const bare = { ...schemas, ingest: schemas.ingest.extend({ LOG_FORMAT }) };
  expect(() => settingsPage(bare)).toThrow(UndescribedSettings);
});
