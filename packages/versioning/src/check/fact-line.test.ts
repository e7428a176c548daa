import { judge, readFacts } from './fact-line';
import type { Compare } from '../ordering';

const byLength: Compare = (a, b) =>
  a === '?' || b === '?' ? null : a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
const always =
  (answer: -1 | 0 | 1): Compare =>
  () =>
    answer;

function verdictOf(line: string, compare: Compare): string {
  const [fact] = readFacts(line);
  if (fact === undefined) throw new Error('no fact');
  return judge(fact, compare).kind;
}

describe('a file of version facts', () => {
  test('gives its facts with their line numbers and leaves comments and empty lines out', () => {
    const facts = readFacts('# note\n\n1 < 2\n// note\n2 = 2\n#\n3 > 2\n');
    expect(facts.map(({ line, expected }) => [line, expected])).toEqual([
      [3, -1],
      [5, 0],
      [7, 1],
    ]);
  });

  test.each(['1 <', '1 2', '1 <= 2', '1 < 2 3', 'nonsense'])('refuses the line "%s"', (line) => {
    expect(() => readFacts(line)).toThrow('line 1');
  });
});

describe('a fact', () => {
  test('is right only when both directions are', () => {
    expect(verdictOf('a < bb', byLength)).toBe('right');
    expect(verdictOf('bb > a', byLength)).toBe('right');
    expect(verdictOf('bb < a', byLength)).toBe('wrong');
    expect(verdictOf('a < bb', always(-1))).toBe('wrong');
  });

  test('is unreadable only when one of its versions is', () => {
    expect(verdictOf('? < bb', byLength)).toBe('unreadable');
    const refusesPairs: Compare = (a, b) => (a === b ? 0 : null);
    expect(verdictOf('a < bb', refusesPairs)).toBe('wrong');
  });
});
