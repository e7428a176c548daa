import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { comparerOf, ecosystemsWithComparer } from '../index';
import type { Compare } from '../ordering';
import { judge, readFacts, reversed } from '../check/fact-line';

const TESTDATA = join(__dirname, '../../testdata');
const RUNS = { numRuns: 300 };

/** Few different values, so that equal and nearly equal versions meet often. */
const number = fc.constantFrom('0', '1', '2', '10', '01', '9007199254740992', '9007199254740993');
const numbers = fc.array(number, { minLength: 1, maxLength: 4 }).map((list) => list.join('.'));
const words = (...all: string[]) => fc.constantFrom('', ...all);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const repeated = (part: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(part, { maxLength }).map((list) => list.join(''));

const semver = joined(
  words('v'),
  numbers,
  words('-0', '-1', '-01', '-a', '-A', '-a.0', '-a.1', '-a-b', '-rc.2', '-rc.10', '-1.a'),
  words('+1', '+2', '+a', '+1.a'),
);
const debian = joined(
  words('0:', '1:', '01:'),
  numbers,
  repeated(fc.constantFrom('~', '+', 'a', 'b1', '.', '-', '0', '1', '-1'), 4),
).map((version) => version.replace(/-$/, '-0'));
const rpm = joined(
  words('0:', '1:', '01:'),
  repeated(fc.constantFrom('~', '^', 'a', 'B', '1', '01', '10', '.', '_', '+'), 5),
  words('0'),
  words('-', '-1', '-1.el8', '-~1', '-1^'),
).map((version) => version || '0');
const alpine = joined(
  numbers,
  words('a', 'b', 'p1', 'p2'),
  repeated(fc.constantFrom('_alpha', '_rc1', '_rc10', '_p', '_p2', '_git1'), 2),
  words('~abc', '~12'),
  words('-r', '-r0', '-r1', '-r10'),
);
const separator = fc.constantFrom('.', '-', '');
const qualifier = fc.constantFrom(
  ...['alpha', 'a', 'b1', 'm2', 'beta', 'rc', 'CR', 'SNAPSHOT', 'ga', 'Final', 'RELEASE'],
  ...['sp', 'foo', 'jre', '0', '1', '10', '', '_'],
);

/** One generator a comparer; its name is that of the comparer's file of facts. */
const SUBJECTS: readonly { facts: string; ecosystems: string[]; version: fc.Arbitrary<string> }[] =
  [
    { facts: 'npm', ecosystems: ['npm'], version: semver },
    { facts: 'crates-io', ecosystems: ['crates.io'], version: semver },
    {
      facts: 'go',
      ecosystems: ['Go'],
      version: fc.oneof(semver, joined(number, fc.constant('.'), number, words('rc1', 'rc10'))),
    },
    { facts: 'hex', ecosystems: ['Hex'], version: semver },
    { facts: 'pub', ecosystems: ['Pub'], version: semver },
    { facts: 'julia', ecosystems: ['Julia'], version: semver },
    { facts: 'swift-url', ecosystems: ['SwiftURL'], version: semver },
    {
      facts: 'conan-center',
      ecosystems: ['ConanCenter'],
      version: fc.oneof(semver, joined(number, fc.constant('.'), number, words('a', 'k'))),
    },
    { facts: 'bitnami', ecosystems: ['Bitnami'], version: semver },
    {
      facts: 'github-actions',
      ecosystems: ['GitHub Actions'],
      version: semver.map((text) => text.replace('v', '')),
    },
    {
      facts: 'pypi',
      ecosystems: ['PyPI'],
      version: joined(
        words('v', '1!', '0!'),
        numbers,
        words('a', 'a0', '.b1', '-rc1', 'c1', '_preview2'),
        words('-1', '.post', '.post1', 'rev2'),
        words('.dev', 'dev1', '-dev0'),
        words('+1', '+a', '+1.a', '+a.1', '+01'),
      ),
    },
    {
      facts: 'maven',
      ecosystems: ['Maven'],
      version: joined(numbers, repeated(joined(separator, qualifier), 4)),
    },
    {
      facts: 'rubygems',
      ecosystems: ['RubyGems'],
      version: joined(
        numbers,
        words('.a', '.rc1', '.rc.1', '.0.b', '.b0', '.A'),
        words('-1', '-a.1', '-'.concat('0')),
      ),
    },
    {
      facts: 'nuget',
      ecosystems: ['NuGet'],
      version: joined(numbers, words('-a', '-A', '-a.1', '-a.10', '-1', '-B'), words('+1', '+a')),
    },
    {
      facts: 'packagist',
      ecosystems: ['Packagist'],
      version: joined(
        words('v', 'V'),
        numbers,
        words('-dev', 'a1', '-ALPHA1', '.beta', '_b2', '-RC1', 'rc10', '-p1', '-pl2', '-patch'),
        words('.1', '-dev', '+1'),
      ),
    },
    { facts: 'debian', ecosystems: ['Debian', 'Ubuntu'], version: debian },
    {
      facts: 'alpine',
      ecosystems: ['Alpine', 'Wolfi', 'Chainguard', 'Alpaquita'],
      version: alpine,
    },
    {
      facts: 'red-hat',
      ecosystems: [
        ...['Red Hat', 'Rocky Linux', 'AlmaLinux', 'SUSE', 'openSUSE', 'openEuler', 'Azure Linux'],
        'Mageia',
      ],
      version: rpm,
    },
    { facts: 'hackage', ecosystems: ['Hackage'], version: numbers },
    {
      facts: 'cran',
      ecosystems: ['CRAN'],
      version: numbers.map((text) => text.replace('.', '-')),
    },
  ];

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
    expect(known.length).toBeGreaterThan(3);
    const failing = known.filter((fact) => judge(fact, compare).kind !== 'right');
    expect(failing).toEqual([]);
  });

  test('reads every version of its grammar and holds it equal to itself', () => {
    fc.assert(
      fc.property(version, (a) => compare(a, a) === 0),
      RUNS,
    );
  });

  test('turns round with its arguments', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const forth = compare(a, b);
        return forth !== null && compare(b, a) === reversed(forth);
      }),
      RUNS,
    );
  });

  test('is transitive, and equality is an equivalence', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [low, middle, high] = [a, b, c].sort((x, y) => compare(x, y) ?? 0) as [
          string,
          string,
          string,
        ];
        const steps = [compare(low, middle), compare(middle, high)];
        expect(steps).not.toContain(1);
        expect(compare(low, high)).toBe(steps.includes(-1) ? -1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('never throws, whatever the text, and refuses alike in both directions', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('0', '1', '.', '-', '~', '^', '+', ':', '_', 'a', 'v') }),
    );
    fc.assert(
      fc.property(text, version, (a, b) => {
        const forth = compare(a, b);
        const back = compare(b, a);
        return forth === null ? back === null : back === reversed(forth);
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
