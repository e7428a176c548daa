import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const document = readFileSync(path.join(root, 'docs', 'security.md'), 'utf8');

/** What a setting's name has when it opens a door, leads out or in, or is a secret. */
const ofTransports =
  /_PORT$|_HOST$|_URL$|_URI$|_TLS|PASSWORD|_USER$|USERNAME|_NKEY|_CREDS|_SOURCE$|_DIR$|^MAX_|FAILED|PROXY|HSTS|PRIVATE/;
/** Said in one breath with another one. */
const withOthers = new Set(['SMTP_PORT', 'SMTP_USERNAME', 'SMTP_PASSWORD']);

function settingsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^\s+([A-Z][A-Z0-9_]*):/gm)].map(([, name = '']) => name);
}

const files = [
  'packages/mongo/src/database-settings.ts',
  'packages/messaging/src/bus-settings.ts',
  'packages/telemetry/src/telemetry-settings.ts',
  'packages/service-runtime/src/settings/common-settings.ts',
  ...readdirSync(path.join(root, 'services')).map((name) => `services/${name}/src/config.ts`),
];
const settings = [...new Set(files.flatMap(settingsOf))].filter((name) => ofTransports.test(name));

test('the threat model is looked at with all settings', () => {
  expect(settings).toEqual(expect.arrayContaining(['HTTP_PORT', 'NATS_URL', 'SMTP_HOST']));
  expect(settings.length).toBeGreaterThan(25);
});

test.each(settings.filter((name) => !withOthers.has(name)))('it speaks of %s', (name) => {
  expect(document).toMatch(new RegExp(`\`${name}[\`=]`));
});

test('every refused attempt at sign-in that it lists is a test', () => {
  const tests = ['access/access.int.test.ts', 'sign-in/sign-in.int.test.ts']
    .map((file) => readFileSync(path.join(root, 'services/gateway/src', file), 'utf8'))
    .join('\n');
  const [, section = ''] = document.split('### Sign-in');
  const table = section.split('\n### ')[0] ?? '';
  const named = [...table.matchAll(/^\|.*“(.+)” *\|$/gm)].map(([, title = '']) => title);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((title) => !tests.includes(title))).toEqual([]);
});

test('the files of ours that it names are there', () => {
  const named = [...document.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
  const places = [
    'services/gateway/src',
    'services/notifier/src',
    'services',
    'packages',
    'packages/messages/src',
    '.',
  ];
  const missing = named.filter(
    (file) => !places.some((place) => existsSync(path.join(root, place, file))),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});
