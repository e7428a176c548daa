import { randomBytes } from 'node:crypto';
import { AppError, markContent, readComponents, readDocument } from '@bomtrail/messages';
import { SBOM_READING_VERSION } from '@bomtrail/sbom-formats';
import type { Request } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { createBlobStore } from '../store/blob-store';
import { createDocumentStore } from '../store/document-store';
import { createFreshSets } from '../store/fresh-sets';
import { createGarbageStore } from '../store/garbage-store';
import { cyclonedx, npm, shaOf, startIngest, type TestIngest } from '../testing/start-ingest';
import { deleteMarked, type CollectGarbageDeps } from './collect-garbage';
import { markGarbage } from './mark-garbage';

/** So long that the sweeps of the service itself do nothing while a test makes each step by hand. */
const longGrace = 3600;
const nothing = { documents: 0, sets: 0, files: 0 };

/** One with other bytes and other components each time; `twin`: other bytes with the same components. */
function aDocument(): { bytes: Buffer; twin: Buffer; sha256: string } {
  const name = randomBytes(8).toString('hex');
  const bytes = cyclonedx([npm(name, '1.0.0')]);
  return { bytes, twin: cyclonedx([npm(name, '1.0.0')], { version: 2 }), sha256: shaOf(bytes) };
}

/** A process of its own, for which the grace is over at once; `beforeCall` runs before each thing that it does. */
function collector(
  ingest: TestIngest,
  beforeCall: () => Promise<void> = async () => {},
): CollectGarbageDeps {
  const watched = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        return async (...args: unknown[]) => {
          await beforeCall();
          return method.apply(target, args);
        };
      },
    });
  const request = (async (...call: Parameters<Request>) => {
    await beforeCall();
    return ingest.bus.request(...call);
  }) as Request;
  const garbage = watched(
    createGarbageStore(ingest.db, createBlobStore(ingest.db), createFreshSets(0)),
  );
  return { garbage, request, graceMs: -1 };
}

/** Takes the records of a document away, as a delete does. */
async function unregister(ingest: TestIngest, sha256: string): Promise<void> {
  const record = ingest.registered.findLast((one) => one.sha256 === sha256);
  const digest = record?.digest ?? '';
  ingest.referred.delete(sha256);
  ingest.referred.delete(digest);
  await ingest.bus.request(markContent, { documents: [sha256], sets: [digest] });
}

async function expectStored(ingest: TestIngest, document: { bytes: Buffer; sha256: string }) {
  const { sha256, bytes } = document;
  expect((await ingest.readDocument(sha256)).equals(bytes)).toBe(true);
  const record = ingest.registered.findLast((one) => one.sha256 === sha256);
  expect(await ingest.readComponents(record?.digest ?? '')).toHaveLength(1);
}

describe('content of deleted SBOMs', () => {
  let ingest: TestIngest;

  beforeAll(async () => {
    ingest = await startIngest({ BOMTRAIL_GARBAGE_GRACE_SECONDS: longGrace });
  });
  afterAll(() => ingest?.stop());
  beforeEach(async () => {
    ingest.registered.length = 0;
    ingest.left.length = 0;
    ingest.referred.clear();
    for (const name of ['documents', 'component_sets', 'walks', 'blobs.files', 'blobs.chunks']) {
      await ingest.db.collection(name).deleteMany({});
    }
  });

  test('is deleted when it is unreferenced, and its set is released at the scanner', async () => {
    const document = aDocument();
    await ingest.upload(document.bytes);
    const digest = ingest.registered[0]?.digest;
    await unregister(ingest, document.sha256);
    await deleteMarked({ ...collector(ingest), graceMs: 60_000 });
    await expectStored(ingest, document);
    await deleteMarked(collector(ingest));
    expect(await ingest.stored()).toEqual(nothing);
    expect(ingest.left).toEqual([digest]);
    const { request } = ingest.bus;
    const httpError = { code: 'sbom_not_found' };
    await expect(request(readDocument, document)).rejects.toMatchObject(httpError);
    await expect(request(readComponents, { digest: digest ?? '' })).rejects.toMatchObject(
      httpError,
    );
  });

  test('stays as long as somebody refers to it, and is not looked at again', async () => {
    const document = aDocument();
    await ingest.upload(document.bytes);
    const digest = ingest.registered[0]?.digest ?? '';
    const names = { documents: [document.sha256], sets: [digest] };
    expect((await ingest.bus.request(markContent, names)).body).toEqual({ marked: 2 });
    await deleteMarked(collector(ingest));
    await expectStored(ingest, document);
    const marked = { marked_at: { $exists: true } };
    expect(await ingest.db.collection('documents').countDocuments(marked)).toBe(0);
    expect(await ingest.db.collection('component_sets').countDocuments(marked)).toBe(0);
    expect(ingest.left).toEqual([]);
  });

  test('goes without the set that another document has', async () => {
    const document = aDocument();
    await ingest.upload(document.bytes);
    await ingest.upload(document.twin);
    await unregister(ingest, document.sha256);
    await deleteMarked(collector(ingest));
    expect(await ingest.stored()).toMatchObject({ documents: 1, sets: 1 });
    expect(ingest.left).toEqual([]);
  });

  test('that is uploaded again at any step of its deletion is stored', async () => {
    let calls = 1;
    for (let at = 1; at <= calls + 1; at++) {
      const document = aDocument();
      await ingest.upload(document.bytes);
      await unregister(ingest, document.sha256);
      let call = 0;
      const collecting = collector(ingest, async () => {
        if (++call === at) await ingest.upload(document.bytes);
      });
      await deleteMarked(collecting);
      calls = Math.max(calls, call);
      if (call < at) await ingest.upload(document.bytes);
      await deleteMarked(collector(ingest));
      await markGarbage(collector(ingest));
      await deleteMarked(collector(ingest));
      await expectStored(ingest, document);
    }
    expect(calls).toBeGreaterThanOrEqual(8);
  });

  test('goes in the end, whatever step the process dies at', async () => {
    let calls = 1;
    for (let dies = 1; dies <= calls + 1; dies++) {
      const document = aDocument();
      await ingest.upload(document.bytes);
      await unregister(ingest, document.sha256);
      let call = 0;
      const dying = collector(ingest, async () => {
        if (++call === dies) throw new Error('The process died.');
      });
      await deleteMarked(dying).catch(() => 0);
      calls = Math.max(calls, call);
      await deleteMarked(collector(ingest));
      await markGarbage(collector(ingest));
      await deleteMarked(collector(ingest));
      expect([dies, await ingest.stored()]).toEqual([dies, nothing]);
    }
    expect(calls).toBeGreaterThanOrEqual(8);
  });

  test('of an upload that was never registered is found, and what an upload just stores is not taken', async () => {
    ingest.beforeRegister.run = () => Promise.reject(new AppError('project_not_found'));
    const lost = aDocument();
    await expect(ingest.upload(lost.bytes)).rejects.toMatchObject({ code: 'project_not_found' });
    ingest.beforeRegister.run = async () => {
      // Everything but the record is stored: it looks like garbage, and is not old enough.
      await markGarbage(collector(ingest));
      await deleteMarked({ ...collector(ingest), graceMs: 60_000 });
    };
    const late = aDocument();
    await ingest.upload(late.bytes);
    ingest.beforeRegister.run = async () => {};
    // The document goes first, then the set that it alone had.
    await deleteMarked(collector(ingest));
    await deleteMarked(collector(ingest));
    expect(await ingest.stored()).toMatchObject({ documents: 1, sets: 1 });
    await expectStored(ingest, late);
  });

  test('is found without a mark too, whatever release stored it, page by page', async () => {
    const documents = ingest.db.collection<{ _id: string; digest: string }>('documents');
    const sets = ingest.db.collection<{ _id: string }>('component_sets');
    const ids = Array.from({ length: 1_200 }, () => randomBytes(32).toString('hex'));
    await documents.insertMany(ids.map((_id) => ({ _id, digest: _id, blob: { bytes: 'x' } })));
    await sets.insertMany(ids.map((_id) => ({ _id, blob: { bytes: 'x' } })));
    const stored = aDocument();
    await ingest.upload(stored.bytes);
    for (let round = 0; round < 4; round++) {
      await markGarbage(collector(ingest));
      await deleteMarked(collector(ingest));
    }
    expect(await ingest.stored()).toMatchObject({ documents: 1, sets: 1 });
    await expectStored(ingest, stored);
  });

  test('deletes its GridFS files, and unreferenced files', async () => {
    const blobs = createBlobStore(ingest.db);
    const store = createDocumentStore(ingest.db, blobs, createFreshSets(0));
    const large = randomBytes(13 * 1024 * 1024);
    const sha256 = shaOf(large);
    const record = {
      _id: sha256,
      digest: sha256,
      size: large.length,
      format: 'cyclonedx' as const,
      spec_version: '1.5',
      root_name: null,
      dependency_count: 0,
      reading: SBOM_READING_VERSION,
      created_at: new Date(),
    };
    await store.storeDocument(record, large);
    await store.storeDocument(record, large);
    await blobs.put(large);
    expect((await ingest.stored()).files).toBe(2);
    await markGarbage(collector(ingest));
    expect(await ingest.stored()).toMatchObject({ documents: 1, files: 1 });
    await deleteMarked(collector(ingest));
    expect(await ingest.stored()).toEqual(nothing);
    expect(await ingest.db.collection('blobs.chunks').countDocuments()).toBe(0);
  });
});

describe('a registration that takes longer than the grace', () => {
  let ingest: TestIngest;

  beforeAll(async () => {
    ingest = await startIngest({ BOMTRAIL_GARBAGE_GRACE_SECONDS: 1 });
  });
  afterAll(() => ingest?.stop());

  test.each(['new', 'known'])(
    'is answered for content that is kept, also when the sweeps took a %s document meanwhile',
    async (which) => {
      const document = aDocument();
      if (which === 'known') {
        await ingest.upload(document.bytes);
        await unregister(ingest, document.sha256);
      }
      ingest.beforeRegister.run = async () => {
        await eventually(
          async () => {
            const { documents, sets } = await ingest.stored();
            expect([documents, sets]).toEqual([0, 0]);
          },
          { what: 'the sweeps have taken it' },
        );
      };
      // As long as a registration may take; then the gateway's question ends.
      await ingest.upload(document.bytes);
      await expectStored(ingest, document);
      await unregister(ingest, document.sha256);
      await eventually(async () => expect(await ingest.stored()).toEqual(nothing), {
        what: 'the sweeps have taken it again',
      });
    },
  );
});
