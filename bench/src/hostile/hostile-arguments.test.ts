import { readHostileArguments } from './hostile-arguments';

test('without arguments a thousand mutants by a seed of chance are sent, after every input', () => {
  const read = readHostileArguments([]);
  expect(read).toMatchObject({ documents: 1000, only: undefined, strict: false });
  expect(read).toMatchObject({ seed: expect.any(Number) as number });
});

test('everything can be said', () => {
  const args = ['--seed', '7', '--documents', '5', '--only', 'nul,fuzz-3', '--json', 'f'];
  expect(readHostileArguments([...args, '--strict'])).toEqual({
    ...{ seed: 7, documents: 5, only: ['nul', 'fuzz-3'], json: 'f', strict: true },
  });
});

test.each(['--seed=x', '--documents=-1', '--unheard-of'])('%s is refused', (arg) => {
  expect(() => readHostileArguments([arg])).toThrow(/seed|documents|unheard/);
});
