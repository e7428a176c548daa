import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { acceptUpload, diffComponents, readComponents, readDocument } from '@bomtrail/messages';
import { cyclonedx, npm, shaOf, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest({ MAX_COMPONENTS: 50 });
});
afterAll(() => ingest?.stop());
beforeEach(async () => {
  ingest.registered.length = 0;
  await Promise.all(
    ['documents', 'component_sets'].map((name) => ingest.db.collection(name).deleteMany({})),
  );
});

const document = cyclonedx([npm('left', '1.0.0'), npm('right', '2.0.0')], {
  metadata: { component: { type: 'application', name: 'Shop' } },
});
const nothing = { documents: 0, sets: 0, files: 0 };

describe('a document that is accepted', () => {
  test('is registered with what its bytes say', async () => {
    const result = await ingest.upload(document, { version: '1.2' });
    expect(result).toMatchObject({ format: 'cyclonedx', dependency_count: 2 });
    expect(ingest.registered).toEqual([
      {
        project_id: ingest.projectId,
        project_slug: null,
        version: '1.2',
        service_name: null,
        sha256: shaOf(document),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        format: 'cyclonedx',
        spec_version: '1.5',
        dependency_count: 2,
        root_name: 'Shop',
      },
    ]);
  });

  test('is stored once however often it is uploaded, also at once', async () => {
    const versions = Array.from({ length: 20 }, (_, n) => `${n}`);
    await Promise.all(versions.map((version) => ingest.upload(document, { version })));
    for (const version of ['20', '21']) await ingest.upload(document, { version });
    expect(await ingest.stored()).toEqual({ documents: 1, sets: 1, files: 0 });
    expect(ingest.registered).toHaveLength(22);
    expect(new Set(ingest.registered.map(({ digest }) => digest)).size).toBe(1);
    expect(await ingest.readComponents(ingest.registered[21]?.digest ?? '')).toHaveLength(2);
  });

  test('is read back byte for byte, with its components', async () => {
    const odd = Buffer.concat([
      Buffer.from('\ufeff \r\n', 'utf8'),
      cyclonedx([npm('é', '1'), npm('a', '1'), npm('a', '1')]),
      Buffer.from('\n\n'),
    ]);
    await ingest.upload(odd);
    expect((await ingest.readDocument(shaOf(odd))).equals(odd)).toBe(true);
    const rest = { type: 'library', license: null, is_direct: true };
    expect(await ingest.readComponents(ingest.registered[0]?.digest ?? '')).toEqual([
      { name: 'a', version: '1', purl: 'pkg:npm/a@1', ...rest },
      { name: 'é', version: '1', purl: 'pkg:npm/é@1', ...rest },
    ]);
  });

  test('is read back with what its licences mean', async () => {
    const licensed = (name: string, expression: string) => ({
      ...npm(name, '1'),
      licenses: [{ expression }],
    });
    const listed = [
      licensed('a', 'gpl-2.0+'),
      licensed('b', '(MIT or AGPL-3.0)'),
      licensed('c', 'Ours'),
    ];
    await ingest.upload(cyclonedx(listed));
    const { digest } = ingest.registered[0] ?? { digest: '' };
    expect(await ingest.readComponents(digest)).toMatchObject([
      {
        license: 'gpl-2.0+',
        license_expression: 'GPL-2.0-or-later',
        license_id: 'GPL-2.0-or-later',
        license_group: 'strong_copyleft',
      },
      {
        license: '(MIT or AGPL-3.0)',
        license_expression: 'MIT OR AGPL-3.0-only',
        license_id: null,
        license_group: 'permissive',
      },
      {
        license: 'Ours',
        license_expression: null,
        license_id: null,
        license_group: 'unknown',
      },
    ]);
  });

  test('about something else has another component set, with the same dependencies', async () => {
    const about = (purl: string): Buffer =>
      cyclonedx([npm('left', '1.0.0')], {
        metadata: { component: { type: 'application', name: 'Shop', purl } },
      });
    await ingest.upload(about('pkg:npm/shop@1.0.0'));
    await ingest.upload(about('pkg:npm/shop@1.0.1'));
    expect(await ingest.stored()).toMatchObject({ documents: 2, sets: 2 });
    const [one, two] = ingest.registered.map(({ digest }) => digest);
    expect(ingest.registered).toMatchObject([{ dependency_count: 1 }, { dependency_count: 1 }]);
    expect(await ingest.readComponents(two ?? '')).toHaveLength(1);
    const { body } = await ingest.bus.request(readComponents, { digest: two ?? '' });
    expect(body.roots).toMatchObject([{ name: 'shop', purl: 'pkg:npm/shop@1.0.1' }]);
    const sides = { from: one ?? '', to: two ?? '' };
    const diff = await ingest.bus.request(diffComponents, sides);
    expect(diff.body).toEqual({ added: 0, removed: 0, changed: 0 });
  });

  test('that was read by older rules is read again when it is uploaded again', async () => {
    const shop = cyclonedx([npm('left', '1.0.0')], {
      metadata: { component: { type: 'application', name: 'Shop', purl: 'pkg:npm/shop@1.0.0' } },
    });
    await ingest.upload(shop);
    const digest = 'a'.repeat(64);
    const older = { $set: { digest }, $unset: { reading: '' } };
    await ingest.db.collection('documents').updateMany({}, older);
    await ingest.upload(shop, { version: '2' });
    await ingest.upload(shop, { version: '3' });
    const [first, ...later] = ingest.registered.map((one) => one.digest);
    expect(later).toEqual([first, first]);
    expect(await ingest.stored()).toEqual({ documents: 1, sets: 1, files: 0 });
    expect(await ingest.db.collection('documents').findOne()).toMatchObject({ digest: first });
  });

  test('shares its component set with documents of the same components', async () => {
    const other = cyclonedx([npm('right', '2.0.0'), npm('left', '1.0.0')], {
      serialNumber: `urn:uuid:${randomUUID()}`,
    });
    await ingest.upload(document);
    await ingest.upload(other);
    expect(await ingest.stored()).toMatchObject({ documents: 2, sets: 1 });
    const [one, two] = ingest.registered;
    expect(one?.digest).toBe(two?.digest);
    expect(one?.sha256).not.toBe(two?.sha256);
    await ingest.upload(cyclonedx([npm('left', '1.0.1')]));
    expect(await ingest.stored()).toMatchObject({ documents: 3, sets: 2 });
  });
});

describe('a document that is refused', () => {
  const component = { type: 'library', name: 'a', version: '1' };
  test.each<[string, string, Buffer]>([
    ['malformed_json', 'is no JSON', Buffer.from('{"bomFormat":')],
    ['malformed_json', 'is empty', Buffer.alloc(0)],
    ['unsupported_sbom_format', 'is another JSON', Buffer.from('{"a":1}')],
    ['unsupported_sbom_version', 'is of a later version', cyclonedx([], { specVersion: '9.9' })],
    ['invalid_sbom', 'has a component without a name', cyclonedx([{ type: 'library' }])],
    ['vex_document', 'has vulnerabilities only', cyclonedx([], { vulnerabilities: [{}] })],
    [
      'too_many_components',
      'has more components than the setting allows',
      cyclonedx(Array.from({ length: 51 }, (_, n) => ({ ...component, name: `a${n}` }))),
    ],
  ])('with %s when it %s, and leaves nothing', async (code, _why, bytes) => {
    await expect(ingest.upload(bytes)).rejects.toMatchObject({ code });
    expect(await ingest.stored()).toEqual(nothing);
    expect(ingest.registered).toEqual([]);
  });

  test('for its project when that is unknown, before anybody reads the document', async () => {
    const broken = Buffer.from('no SBOM at all');
    await expect(ingest.upload(broken, { project_id: randomUUID() })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(ingest.upload(document, { project_id: randomUUID() })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    expect(await ingest.stored()).toEqual(nothing);
  });
});

describe('a document that comes by name alone', () => {
  const byName = (bytes: Uint8Array) =>
    ingest.bus.request(acceptUpload, {
      project_id: ingest.projectId,
      project_slug: null,
      version: '2',
      service_name: null,
      sha256: shaOf(bytes),
      size: bytes.byteLength,
    });

  test('is registered when it is known', async () => {
    await ingest.upload(document);
    expect((await byName(document)).body).toMatchObject({ sha256: shaOf(document) });
    expect(ingest.registered.map(({ version }) => version)).toEqual([null, '2']);
  });

  test('is requested if it is missing, and leaves nothing', async () => {
    await expect(byName(document)).rejects.toMatchObject({ code: 'malformed_body' });
    expect(await ingest.stored()).toEqual(nothing);
    expect(ingest.registered).toEqual([]);
  });
});

describe('bytes that were damaged on their way', () => {
  const packed = gzipSync(document);
  const flipped = Buffer.from(packed);
  flipped.writeUInt8(flipped.readUInt8(40) ^ 1, 40);
  test.each<[string, { packed?: Uint8Array; sha256?: string; size?: number }]>([
    ['one bit', { packed: flipped }],
    ['the end is missing', { packed: packed.subarray(0, packed.length - 9) }],
    ['they are those of another document', { packed: gzipSync(cyclonedx([npm('x', '1')])) }],
    ['they are not packed', { packed: document }],
    ['there are more than the request says', { size: document.length - 1 }],
  ])('are refused and leave nothing: %s', async (_what, rest) => {
    await expect(ingest.upload(document, rest)).rejects.toMatchObject({ code: 'internal_error' });
    expect(await ingest.stored()).toEqual(nothing);
    expect(ingest.registered).toEqual([]);
    await ingest.upload(document);
    expect((await ingest.readDocument(shaOf(document))).equals(document)).toBe(true);
  });

  test('are not needed of a document that is known', async () => {
    await ingest.upload(document);
    expect(await ingest.upload(document, { packed: flipped })).toMatchObject({
      format: 'cyclonedx',
    });
  });
});

describe('a document counts as stored only with its components', () => {
  const rejectAll = { validator: { never: { $exists: true } } };

  test('so that an upload which failed between the two is made good by the next one', async () => {
    await ingest.upload(cyclonedx([npm('before', '1')]));
    await ingest.db.command({ collMod: 'component_sets', ...rejectAll });
    try {
      await expect(ingest.upload(document)).rejects.toMatchObject({ code: 'internal_error' });
    } finally {
      await ingest.db.command({ collMod: 'component_sets', validator: {} });
    }
    await ingest.upload(document);
    expect(await ingest.readComponents(ingest.registered.at(-1)?.digest ?? '')).toHaveLength(2);
  });
});

test('what was never uploaded cannot be read', async () => {
  const sha256 = randomBytes(32).toString('hex');
  const { request } = ingest.bus;
  const httpError = { code: 'sbom_not_found' };
  await expect(request(readDocument, { sha256 })).rejects.toMatchObject(httpError);
  await expect(request(readComponents, { digest: sha256 })).rejects.toMatchObject(httpError);
});
