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

/** What the document says is refused, and the test of it. */
const refused = {
  expired: 'is expired',
  changed: 'was changed after it was signed',
  'unsigned (`alg: none`)': 'is not signed (alg none)',
  'of another audience': 'is for another audience',
  'or issuer': 'is of another issuer',
  'signed by a foreign key': 'is signed by a key that the provider does not have',
  'under a known `kid`': 'names a key of the provider, and is signed by another one',
  'by a withdrawn one': 'of a rotated key is accepted, of the withdrawn one refused',
  'the public key as a shared secret': 'is signed by the public key as a shared secret (HS256)',
  'a replayed callback': 'a callback that is replayed',
  'or code': 'a code that was used, in another sign-in',
  'login CSRF': 'a callback of another browser (login CSRF)',
  'mix-up': 'another issuer (mix-up)',
  'open redirect': 'an open redirect to %s',
  'session fixation': 'a session from before the sign-in (fixation)',
  ', CSRF': 'a change that another site sends with the cookie (CSRF)',
  'after log-out': 'ends the session here and says where the provider ends its own',
  'revoked elsewhere': 'a session that another process ends is refused within 5 seconds',
  'somebody whom the provider refuses': 'that the provider refuses ends the session',
};

test.each(Object.entries(refused))(
  'that %s is refused at sign-in is said, and a test',
  (said, title) => {
    const tests = ['access/access.int.test.ts', 'sign-in/sign-in.int.test.ts']
      .map((file) => readFileSync(path.join(root, 'services/gateway/src', file), 'utf8'))
      .join('\n');
    const [, section = ''] = document.split('### Sign-in');
    expect(section.split('\n### ')[0]).toContain(said);
    expect(tests).toContain(title);
  },
);

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
