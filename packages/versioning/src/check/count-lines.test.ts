import type { FileResult } from './check-folder';
import { countLines } from './count-lines';
import { readFacts } from './fact-line';

function result(file: string, ecosystem: string, unreadable: readonly number[]): FileResult {
  const facts = readFacts('1 < 2\n2 < 3\n3 < 4');
  return {
    file,
    ecosystem,
    facts: facts.length,
    right: facts.length - unreadable.length,
    unreadable: facts
      .filter(({ line }) => unreadable.includes(line))
      .map((fact) => ({ fact, versions: [] })),
    wrong: [],
    disputed: facts.slice(0, 1),
  };
}

test('a line counts once, however many ecosystems it speaks about', () => {
  const results = [
    result('semver.txt', 'npm', [1]),
    result('semver.txt', 'Go', [1, 2]),
    result('debian.txt', 'Debian', [1]),
  ];
  expect(countLines(results)).toEqual({ facts: 6, unreadable: 3, disputed: 2, wrong: 0 });
});
