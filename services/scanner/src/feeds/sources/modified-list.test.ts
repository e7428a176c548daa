import { expect, test } from '@jest/globals';
import { readModifiedList } from './modified-list';

const at = (time: string) => Date.parse(`2026-03-0${time}:00:00Z`);
const lines = (...those: string[]) => those.map((line) => `${line}\n`).join('');
const three = lines(
  '2026-03-03T00:00:00Z,GHSA-3',
  '2026-03-02T00:00:00.5Z,GHSA-2',
  '2026-03-01T00:00:00Z,GHSA-1',
);

/** The text in pieces that end anywhere. */
async function* pieces(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
}

test('the list is read from its newest line down to the first that is too old', async () => {
  const found = await readModifiedList(pieces(three), at('2T00'));
  expect(found.records.map(({ id }) => id)).toEqual(['GHSA-3', 'GHSA-2']);
  expect(found).toMatchObject({ newest: at('3T00'), isComplete: true });
});

test('a list without lines names nothing', async () => {
  expect(await readModifiedList(pieces(''), 0)).toEqual({
    records: [],
    newest: null,
    isComplete: true,
  });
});

test('windows line ends, a missing last line end and the folder of the ecosystem are read too', async () => {
  const text = '2026-03-03T00:00:00Z,Red Hat/RHSA-1\r\n2026-03-02T00:00:00Z,npm/GHSA-2';
  const found = await readModifiedList(pieces(text), 0);
  expect(found.records.map(({ id }) => id)).toEqual(['RHSA-1', 'GHSA-2']);
});

test('a list that is not in order has not named everything', async () => {
  const outcomeChanged = lines('2026-03-01T00:00:00Z,GHSA-1', '2026-03-03T00:00:00Z,GHSA-3');
  expect((await readModifiedList(pieces(outcomeChanged), 0)).isComplete).toBe(false);
});

test.each([
  ['a page of HTML', '<!doctype html>\n<title>Sign in</title>\n'],
  ['JSON', '{"error": "no"}'],
  ['a path', '2026-03-03T00:00:00Z,a/b/../../c\n'],
  ['a time that is none', 'yesterday at noon,GHSA-1\n'],
  ['bytes without lines', 'x'.repeat(5000)],
])('%s is no such list', async (_what, text) => {
  await expect(readModifiedList(pieces(text), 0)).rejects.toThrow('list of modified records');
});
