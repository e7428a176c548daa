import { readConcurrently, readPaced, type PreparedQuery } from './read-lists';

const { signal } = new AbortController();
const right = Buffer.from('right');

/** Questions that note when they are asked. */
function queries(count: number, given = right): { asked: string[]; all: PreparedQuery[] } {
  const asked: string[] = [];
  const all = Array.from({ length: count }, (_, n) => {
    const path = `/${n}`;
    const read = (): Promise<Buffer> => {
      asked.push(path);
      return Promise.resolve(given);
    };
    return { path, read, answer: right };
  });
  return { asked, all };
}

test('the questions take turns', async () => {
  const { asked, all } = queries(3);
  const responses = await readConcurrently(all, { count: 7, clients: 2 });
  expect(asked).toEqual(['/0', '/1', '/2', '/0', '/1', '/2', '/0']);
  expect(responses.map(({ path }) => path)).toEqual(asked);
});

test('paced clients ask once a second each', async () => {
  const { asked, all } = queries(2);
  const responses = await readPaced(all, { seconds: 1, clients: 5 }, { draw: () => 0, signal });
  expect(asked).toEqual(['/0', '/1', '/0', '/1', '/0']);
  expect(responses).toHaveLength(5);
});

test('an answer that is not the one that was checked is a failure', async () => {
  const { all } = queries(1, Buffer.from('wrong'));
  const load = { seconds: 1, clients: 1 };
  await expect(readConcurrently(all, { count: 1, clients: 1 })).rejects.toThrow('another answer');
  await expect(readPaced(all, load, { draw: () => 0, signal })).rejects.toThrow('another answer');
});
