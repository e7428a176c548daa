import { randomBytes } from 'node:crypto';
import { parseDocument, readQuality } from '@bomtrail/messages';
import { gzipSync } from 'node:zlib';
import { cyclonedx, npm, shaOf, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest();
});
afterAll(() => ingest?.stop());

const document = cyclonedx([npm('a', '1.0.0'), { ...npm('b', '1.0.0'), supplier: { name: 'B' } }]);
const sha256 = shaOf(document);
const expected = {
  components: 2,
  elements: expect.arrayContaining([
    expect.objectContaining({ element: 'supplier', present: 1, total: 2 }),
    expect.objectContaining({ element: 'identifier', present: 2, reason: null }),
  ]) as unknown,
};
const read = async () => (await ingest.bus.request(readQuality, { sha256 })).body.quality;
const documents = () => ingest.db.collection<{ _id: string; quality: unknown }>('documents');

test('the quality of a document is measured with the upload, and repeated uploads tell it too', async () => {
  const first = await ingest.upload(document);
  const again = await ingest.upload(document, { version: '2' });
  const quality = await read();
  expect(quality).toMatchObject(expected);
  expect([first, again]).toMatchObject([
    { quality_score: quality?.score },
    { quality_score: quality?.score },
  ]);
});

test.each([
  ['an earlier release', { $unset: { quality: '' as const } }],
  ['older rules', { $set: { 'quality.version': 0, 'quality.stated.supplier': 0 } }],
])('a document of %s is measured when somebody asks, and once', async (_of, change) => {
  await ingest.upload(document);
  await documents().updateOne({ _id: sha256 }, change);
  expect(await read()).toMatchObject(expected);
  expect(await documents().findOne({ _id: sha256 })).toMatchObject({
    quality: { version: 1, stated: { supplier: 1 } },
  });
});

test('an upload of a document that an earlier release stored answers that it is unknown', async () => {
  await ingest.upload(document);
  await documents().updateOne({ _id: sha256 }, { $unset: { quality: '' } });
  expect(await ingest.upload(document, { version: '3' })).toMatchObject({ quality_score: null });
});

test('a document that is only checked is measured, too', async () => {
  const named = { project_id: null, project_slug: null, sha256, size: document.length };
  const { body } = await ingest.bus.request(parseDocument, named, gzipSync(document));
  expect(body.quality).toMatchObject(expected);
});

test('one that is not stored is refused', async () => {
  const missing = { sha256: randomBytes(32).toString('hex') };
  await expect(ingest.bus.request(readQuality, missing)).rejects.toMatchObject({
    code: 'sbom_not_found',
  });
});
