import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { cyclonedx, npm, shaOf, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest();
});
afterAll(() => ingest?.stop());

const mebibyte = 1024 * 1024;

test('a document of 40 MB that stays larger than a MongoDB document when packed is stored once and read back byte for byte', async () => {
  const components = Array.from({ length: 100_000 }, (_, n) => ({
    ...npm(`package-${n}`, '1.0.0'),
    description: randomBytes(210).toString('base64'),
  }));
  const document = cyclonedx(components);
  const packed = gzipSync(document, { level: 1 });
  expect(document.length).toBeGreaterThan(36 * mebibyte);
  expect(packed.length).toBeGreaterThan(17 * mebibyte);

  const results = await Promise.all([
    ingest.upload(document, { packed }),
    ingest.upload(document, { packed, version: '2' }),
  ]);
  expect(results.map(({ dependency_count }) => dependency_count)).toEqual([100_000, 100_000]);
  expect(await ingest.stored()).toEqual({ documents: 1, sets: 1, files: 1 });
  expect((await ingest.readDocument(shaOf(document))).equals(document)).toBe(true);
  expect(await ingest.readComponents(ingest.registered[0]?.digest ?? '')).toHaveLength(100_000);
});

test('a document that does not fit into a message is still taken after NATS has lost everything', async () => {
  const large = (name: string): Buffer =>
    cyclonedx([{ ...npm(name, '1'), description: randomBytes(mebibyte).toString('base64') }]);
  const before = large('before');
  await ingest.upload(before);
  await ingest.servers.wipeNats();
  const after = large('after');
  await ingest.upload(after);
  expect((await ingest.readDocument(shaOf(after))).equals(after)).toBe(true);
  expect((await ingest.readDocument(shaOf(before))).equals(before)).toBe(true);
});
