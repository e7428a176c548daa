import { manyBatched } from './batched';

test('what several ask for at the same moment is one question, and each gets its own', async () => {
  const requested: string[][] = [];
  const find = manyBatched((ids) => {
    requested.push(ids);
    return Promise.resolve(ids.filter((id) => id !== 'gone').map((_id) => ({ _id })));
  });
  const found = await Promise.all([find(['a', 'b']), find(['b', 'gone']), find([])]);
  expect(found).toEqual([[{ _id: 'a' }, { _id: 'b' }], [{ _id: 'b' }], []]);
  expect(requested).toEqual([['a', 'b', 'gone']]);
});
