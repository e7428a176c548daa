import { gzipSync } from 'node:zlib';
import type { DiffTask } from './diff-component-sets';
import { createWorkers, type Workers } from './worker-pool';

let workers: Workers;

beforeAll(() => {
  workers = start();
});
afterAll(() => workers?.close());

function start(options: { heapMb?: number } = {}): Workers {
  const onThreadError = (error: Error): never => {
    throw error;
  };
  return createWorkers({ threads: 2, maxComponents: 10, onThreadError, ...options });
}

const large = 1_000_000;
const emptySet = gzipSync('[]');
const nothing: DiffTask = { from: emptySet, to: emptySet };

/** Something that others wait for. */
function transport() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test('a large diff reads its sets when its turn comes, and a large upload goes before it', async () => {
  const ended: string[] = [];
  let read = 0;
  const { open, opened } = transport();
  const diff = async (name: string) => {
    await workers.diff({
      count: large,
      async read() {
        read += 1;
        await opened;
        return nothing;
      },
    });
    ended.push(name);
  };
  const working = [diff('first diff'), diff('second diff'), diff('third diff')];
  const damaged = { bytes: gzipSync('{}'), sha256: '', size: 9 * 1024 * 1024 };
  const upload = workers.parse(damaged).catch(() => ended.push('upload'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(1);
  open();
  await Promise.all([...working, upload]);
  expect(ended).toEqual(['first diff', 'upload', 'second diff', 'third diff']);
});

test('small diffs are in hand together, a bounded number of them', async () => {
  let read = 0;
  const { open, opened } = transport();
  const diff = () =>
    workers.diff({
      count: 2,
      async read() {
        read += 1;
        await opened;
        return nothing;
      },
    });
  const working = Array.from({ length: 50 }, diff);
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(8);
  open();
  const outcomes = await Promise.all(working);
  expect(read).toBe(50);
  expect(outcomes[49]?.counts).toEqual({ added: 0, removed: 0, changed: 0 });
});

test('a diff whose sets cannot be read fails alone', async () => {
  const read = () => Promise.reject(new Error('no database'));
  await expect(workers.diff({ count: large, read })).rejects.toThrow('no database');
  const whole = await workers.diff({ count: large, read: async () => nothing });
  expect(whole.counts.added).toBe(0);
});

test('a set that was deleted since has no licences', async () => {
  const indexed = workers.indexLicences({ count: 1, read: () => Promise.resolve(null) });
  expect(await indexed).toBeNull();
});

test('a thread that dies over a diff fails that one, the next one has another thread', async () => {
  const small = start({ heapMb: 24 });
  // Little text, of which a thread makes more objects than it has memory for.
  const tooMuch = gzipSync(`[${'{},'.repeat(2e6)}{}]`);
  const read = async () => ({ from: tooMuch, to: tooMuch });
  await expect(small.diff({ count: large, read })).rejects.toMatchObject({
    code: 'ERR_WORKER_OUT_OF_MEMORY',
  });
  const whole = await small.diff({ count: large, read: async () => nothing });
  expect(whole.counts.added).toBe(0);
  await small.close();
});

test('a large document whose caller has gone is not parsed, or not to its end', async () => {
  const own = start();
  const components = Array.from({ length: 60_000 }, (_, at) => ({
    type: 'library',
    name: `c${at}`,
    version: '1',
    purl: `pkg:npm/c${at}@1`,
  }));
  const text = JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    components,
  });
  const document = { bytes: gzipSync(text), sha256: '', size: 9 * 1024 * 1024, isUpload: false };
  const gone = new AbortController();
  const outcomes = [
    own.parse({ ...document, gone: gone.signal }),
    own.parse({ ...document, gone: gone.signal }),
  ];
  const failed = outcomes.map((one) =>
    one.then(
      () => 'parsed',
      (error: Error) => error.name,
    ),
  );
  setTimeout(() => gone.abort(new Error('gone')), 20);
  expect(await Promise.all(failed)).toEqual(['AbortError', 'Error']);
  // The thread is replaced.
  expect((await own.diff({ count: 0, read: async () => nothing })).counts.added).toBe(0);
  await own.close();
});
