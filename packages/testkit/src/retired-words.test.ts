import path from 'node:path';

interface RetiredWords {
  insteadOf: (name: string) => string | null;
  retiredNames: (file: string, text: string) => { line: number; name: string; instead: string }[];
}

const folder = path.join(__dirname, '..', '..', '..', 'scripts', 'lib');
const { insteadOf, retiredNames } = jest.requireActual<RetiredWords>(
  path.join(folder, 'retired-words.cjs'),
);

test.each([
  ['lineId', 'service_id'],
  ['line_id', 'service_id'],
  ['LINE_IDS', 'service_id'],
  ['openDoors', 'transport'],
  ['sbom_log', 'sbom_versions'],
  ['estate-plan', 'dataset'],
  ['watchOwed', 'pending'],
])('%s is retired', (name, instead) => {
  expect(insteadOf(name)).toBe(instead);
});

test.each([
  'line',
  'lineEnd',
  'row',
  'logLine',
  'run',
  'answerMs',
  'allSettled',
  'indoor',
  'placeholder',
])('%s is allowed', (name) => {
  expect(insteadOf(name)).toBeNull();
});

test('identifiers, string codes and file names are checked; texts and module names are not', () => {
  const source = [
    "import { a } from './estate-plan';",
    '/** The estate. */',
    'const heldBy = a;',
    "const field = 'episode_id';",
    "const text = 'an episode ends';",
  ].join('\n');
  expect(retiredNames('src/holder-table.ts', source)).toEqual([
    { line: 0, name: 'holder-table.ts', instead: 'owner, or services using it' },
    { line: 3, name: 'heldBy', instead: 'usedBy' },
    { line: 4, name: 'episode_id', instead: 'alert period' },
  ]);
});
