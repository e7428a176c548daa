import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { diffComponents, type DiffCounts } from '@bomtrail/messages';
import type { ComponentsDiff } from '../domain/diff-components';
import { cyclonedx, npm, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest();
});
afterAll(() => ingest?.stop());

async function digestOf(document: Buffer): Promise<string> {
  await ingest.upload(document);
  return ingest.registered.at(-1)?.digest ?? '';
}

async function diff(
  from: string,
  to: string,
): Promise<{ counts: DiffCounts; answer: ComponentsDiff }> {
  const { body, attachment } = await ingest.bus.request(diffComponents, { from, to });
  const text = gunzipSync(attachment ?? Buffer.alloc(0)).toString('utf8');
  return { counts: body, answer: JSON.parse(text) as ComponentsDiff };
}

test('two stored component sets are compared as specified', async () => {
  const from = await digestOf(cyclonedx([npm('gone', '1.0.0'), npm('qs', '6.9.0')]));
  const to = await digestOf(cyclonedx([npm('qs', '6.10.0'), npm('come', '1.0.0')]));
  expect(await diff(from, to)).toEqual({
    counts: { added: 1, removed: 1, changed: 1 },
    answer: {
      added: [{ name: 'come', version: '1.0.0' }],
      removed: [{ name: 'gone', version: '1.0.0' }],
      changed: [{ name: 'qs', from_version: '6.9.0', to_version: '6.10.0' }],
    },
  });
  expect((await diff(to, to)).answer).toEqual({ added: [], removed: [], changed: [] });
});

test('a set that was never stored cannot be compared, on either side', async () => {
  const known = await digestOf(cyclonedx([npm('a', '1')]));
  const unknown = randomBytes(32).toString('hex');
  const httpError = { code: 'sbom_not_found' };
  await expect(diff(known, unknown)).rejects.toMatchObject(httpError);
  await expect(diff(unknown, known)).rejects.toMatchObject(httpError);
});

test('large sets are compared while ingest goes on answering, and a long answer arrives whole', async () => {
  const size = 60_000;
  const set = (version: string, offset: number): Buffer =>
    cyclonedx(
      Array.from({ length: size }, (_, n) => npm(`package-${n + offset}`, `${version}.${n}`)),
    );
  const from = await digestOf(set('1.0', 0));
  const to = await digestOf(set('1.1', 10_000));
  let running = true;
  const large = diff(from, to).finally(() => (running = false));
  let answeredMeanwhile = 0;
  while (running) {
    await expect(diff(from, randomBytes(32).toString('hex'))).rejects.toThrow();
    answeredMeanwhile += 1;
  }
  const { counts, answer } = await large;
  expect(counts).toEqual({ added: 10_000, removed: 10_000, changed: 50_000 });
  expect(answer.added).toHaveLength(10_000);
  expect(answer.changed).toHaveLength(50_000);
  expect(answeredMeanwhile).toBeGreaterThan(5);
});
