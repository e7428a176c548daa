import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { judgeLicenses, type LicensePolicy } from '@bomtrail/messages';
import { cyclonedx, npm, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest();
});
afterAll(() => ingest?.stop());

const at = '2026-06-01T00:00:00.000Z';
const policy: LicensePolicy = {
  groups: { network_copyleft: 'deny', strong_copyleft: 'warn' },
  exceptions: [{ purl: 'pkg:npm/excepted', reason: 'CI only' }],
};
const licensed = (name: string, expression?: string) => ({
  ...npm(name, '1.0.0'),
  ...(expression === undefined ? {} : { licenses: [{ expression }] }),
});
const components = [
  licensed('denied', 'AGPL-3.0-only'),
  licensed('excepted', 'AGPL-3.0-only'),
  licensed('fine', 'MIT'),
  licensed('silent'),
  licensed('warned', 'GPL-3.0-only'),
];
const expected = {
  allowed: 1,
  warned: 1,
  denied: 1,
  unknown: 1,
  excepted: 1,
  components: [
    { name: 'denied', license: 'AGPL-3.0-only', outcome: 'deny', rule: 'group' },
    { name: 'silent', license: null, outcome: 'unknown', rule: 'unknown' },
    { name: 'warned', license: 'GPL-3.0-only', outcome: 'warn', rule: 'group' },
  ],
};

test('the licences of a stored set are judged, the worst first', async () => {
  await ingest.upload(cyclonedx(components));
  const digest = ingest.registered.at(-1)?.digest ?? '';
  const { body } = await ingest.bus.request(judgeLicenses, { digest, policy, at });
  expect(body).toMatchObject(expected);
});

test('so are those of a document that is not stored', async () => {
  const set = [{ name: 'denied', version: '1', purl: null, license: 'AGPL-3.0-only' }];
  const attachment = gzipSync(JSON.stringify(set));
  const query = { digest: null, policy, at };
  const { body } = await ingest.bus.request(judgeLicenses, query, attachment);
  expect(body).toMatchObject({ denied: 1, components: [{ name: 'denied' }] });
});

test('rules about a misspelt id that no component states are named', async () => {
  const set = ['GPL-3.0-only', 'Apache-2', null].map((license, n) => {
    return { name: `c${n}`, version: '1', purl: null, license };
  });
  const names = ['GPL-3.0-onyl', 'apache-2', 'Acme Commercial', 'BUSL-1.1'];
  const licenses = names.map((license) => ({ license, action: 'deny' as const }));
  const query = { digest: null, policy: { licenses }, at };
  const { body } = await ingest.bus.request(judgeLicenses, query, gzipSync(JSON.stringify(set)));
  expect(body).toMatchObject({
    denied: 1,
    unknown_rules: [{ license: 'GPL-3.0-onyl', similar: ['GPL-3.0-only'] }],
  });
});

test('many components are counted, and the worst 100 listed with texts that fit a message', async () => {
  await ingest.upload(
    cyclonedx([
      ...Array.from({ length: 60_000 }, (_, n) => licensed(`own-${n}`, 'MIT')),
      ...Array.from({ length: 150 }, (_, n) =>
        licensed(`${'bad'.repeat(300)}-${n}`, 'AGPL-3.0-only'),
      ),
    ]),
  );
  const digest = ingest.registered.at(-1)?.digest ?? '';
  const { body } = await ingest.bus.request(judgeLicenses, { digest, policy, at });
  expect([body.allowed, body.denied, body.components.length]).toEqual([60_000, 150, 100]);
}, 60_000);

test('a set that is not stored is refused', async () => {
  const digest = randomBytes(32).toString('hex');
  await expect(ingest.bus.request(judgeLicenses, { digest, policy, at })).rejects.toMatchObject({
    code: 'sbom_not_found',
  });
});
