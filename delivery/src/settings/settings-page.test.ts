import { readFileSync } from 'node:fs';
import { serviceNames } from '@bomtrail/messages';
import { commonSettings } from '@bomtrail/service-runtime';
import { misspeltSettings } from '@bomtrail/settings';
import { settingsSchemas } from './schemas';
import { settingsPage, settingsPageFile } from './settings-page';
import { UndescribedSettings } from './describe-setting';

const schemas = settingsSchemas('src');
const page = settingsPage(schemas);

/** What stands under a heading of the page. */
function section(title: string): string {
  return page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** The value and the meaning of a setting, in the section of a service. */
function entry(title: string, setting: string): { value: string; text: string } {
  const found = section(title).match(new RegExp(`^- \`${setting}\`(?: \\((.*?)\\))?: (.*)$`, 'm'));
  return { value: found?.[1] ?? '', text: found?.[2] ?? '' };
}

test('the page is up to date: run `npm run gen`', () => {
  expect(readFileSync(settingsPageFile, 'utf8')).toBe(page);
});

test.each(serviceNames)('every setting of %s stands under its name or under all, once', (name) => {
  const listed = [...`${section('Every service')}\n${section(name)}`.matchAll(/^- `(\w+)`/gm)];
  expect(listed.map((match) => match[1]).sort()).toEqual(Object.keys(schemas[name].shape).sort());
});

test.each(serviceNames)('no setting of another service looks like a misspelt one of %s', (name) => {
  const all = new Set(serviceNames.flatMap((one) => Object.keys(schemas[one].shape)));
  const taken = [...all].flatMap((one) => misspeltSettings(schemas[name], { [one]: 'x' }));
  expect(taken).toEqual([]);
});

test('an entry says bounds, words, default and form, as the parser takes them', () => {
  const valueOf = (setting: string): string => entry('Every service', setting).value;
  expect(valueOf('SHUTDOWN_GRACE_SECONDS')).toBe('1 to 600; default `20`');
  expect(valueOf('LOG_FORMAT')).toBe('`json`, `text`; default `json`');
  expect(valueOf('MONGODB_URI')).toBe('must begin with mongodb:// or mongodb+srv://; required');
  expect(valueOf('NATS_REPLICAS')).toBe('1, 3 or 5');
  expect(valueOf('NATS_USER')).toBe('');
  expect(entry('gateway', 'UPLOAD_QUEUE').value).toBe('1 or more; default `256`');
  expect(entry('Every service', 'MONGODB_DATABASE_PREFIX').text).toMatch(/\\<prefix>\\<service>$/);
  expect(entry('notifier', 'SMTP_FROM').value).toBe('an address, or Name \\<address>');
});

test('a setting of several services says who else reads it', () => {
  expect(entry('gateway', 'PUBLIC_URL').text).toMatch(/Also read by notifier$/);
  expect(entry('ingest', 'BOMTRAIL_GARBAGE_GRACE_SECONDS').text).toMatch(
    /Also read by scanner and reconciler$/,
  );
});

test('a setting that several services read alike is described once', () => {
  expect(entry('scanner', 'BOMTRAIL_GARBAGE_GRACE_SECONDS')).toEqual({
    value: '',
    text: 'see [ingest](#ingest)',
  });
  expect(entry('notifier', 'PUBLIC_URL').text).toMatch(/links in messages/);
});

test('a setting without a description is a mistake', () => {
  const LOG_FORMAT = commonSettings.shape.LOG_FORMAT.unwrap();
  const bare = { ...schemas, ingest: schemas.ingest.extend({ LOG_FORMAT }) };
  expect(() => settingsPage(bare)).toThrow(UndescribedSettings);
});
