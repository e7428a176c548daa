import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { comparerOf, ecosystemsWithComparer } from '../index';
import type { Compare } from '../ordering';
import { judge, readFacts } from '../check/fact-line';
import { checkOrder } from '../testing/check-order';
import { SUBJECTS, anyText, relatives } from '../testing/version-generators';

const TESTDATA = join(__dirname, '../../testdata');
/** Each run looks at every triple of some 15 to 35 versions. */
const RUNS = { numRuns: 40 };
/** Fewer would say that the generated versions hardly ever meet an equal one. */
const EQUAL_PAIRS_WANTED = 50;

function comparer(ecosystem: string): Compare {
  const compare = comparerOf(ecosystem);
  if (compare === undefined) throw new Error(`no comparer for ${ecosystem}`);
  return compare;
}

test('every ecosystem with a comparer is held to this contract, and every file of facts is read', () => {
  const covered = SUBJECTS.flatMap(({ ecosystems }) => ecosystems).sort();
  expect(covered).toEqual([...ecosystemsWithComparer()]);
  const files = readdirSync(TESTDATA).filter((name) => name.endsWith('.txt'));
  expect(files.sort()).toEqual(SUBJECTS.map(({ facts }) => `${facts}.txt`).sort());
});

test.each(['NPM', 'pypi', 'Debian:12', 'Maven:https://maven.google.com', '', 'constructor'])(
  'there is no order for "%s", and no default one',
  (ecosystem) => {
    expect(comparerOf(ecosystem)).toBeUndefined();
  },
);

describe.each(SUBJECTS)('the order of $facts', ({ facts, ecosystems, version }) => {
  const compare = comparer(ecosystems[0] ?? '');

  test('is one for all ecosystems of its family', () => {
    expect(new Set(ecosystems.map(comparerOf))).toEqual(new Set([compare]));
  });

  test('answers every known fact, both ways', () => {
    const known = readFacts(readFileSync(join(TESTDATA, `${facts}.txt`), 'utf8'));
    expect(known.length).toBeGreaterThanOrEqual(17);
    const failing = known.filter((fact) => judge(fact, compare).kind !== 'right');
    expect(failing).toEqual([]);
  });

  test('reads every version of its grammar and holds it equal to itself', () => {
    fc.assert(
      fc.property(version, (a) => compare(a, a) === 0),
      { numRuns: 300 },
    );
  });

  test('is a total order of its versions: it turns round, is transitive, and equals are equal to every third', () => {
    let equalPairs = 0;
    fc.assert(
      fc.property(relatives(version), (texts) => {
        equalPairs += checkOrder(texts, compare).equalPairs;
      }),
      RUNS,
    );
    expect(equalPairs).toBeGreaterThan(EQUAL_PAIRS_WANTED);
  });

  test('never throws, whatever the text, and orders all that it reads', () => {
    const texts = fc.array(fc.oneof(anyText, anyText, version), { minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(texts, (list) => {
        checkOrder(list, compare);
      }),
      RUNS,
    );
  });

  test.each(['', ' ', 'latest?', '1.0 beta', '1'.repeat(5000), '>= 1.0, < 2.0', '[1.0,2.0)'])(
    'cannot read %j',
    (text) => {
      expect(compare(text, '1.0.0')).toBeNull();
      expect(compare('1.0.0', text)).toBeNull();
    },
  );

  test('answers quickly, however a text is made', () => {
    const started = performance.now();
    for (const piece of ['1', '1.', '1-', '1a', 'a', '-', '.', '~', '_p1', '0', '_', '+1', ' ']) {
      const text = `1${piece.repeat(1000).slice(0, 1000)}`;
      compare(`${text}!`, text);
      compare(text, text);
    }
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
