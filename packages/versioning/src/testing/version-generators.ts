import fc from 'fast-check';

/** A comparer under test. */
export interface Subject {
  /** The comparer's file of facts, without `.txt`. */
  facts: string;
  /** The ecosystems that use it. */
  ecosystems: string[];
  /** Readable versions of the ecosystem's grammar, often equal or nearly equal. */
  version: fc.Arbitrary<string>;
}

/** Few values, so that equal and nearly equal versions are frequent. */
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

/** One generator per comparer. */
export const SUBJECTS: readonly Subject[] = [
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
    version: fc.oneof(
      joined(
        words('v', '1!', '0!'),
        numbers,
        words('a', 'a0', '.b1', '-rc1', 'c1', '_preview2'),
        words('-1', '.post', '.post1', 'rev2'),
        words('.dev', 'dev1', '-dev0'),
        words('+1', '+a', '+1.a', '+a.1', '+01'),
      ),
      joined(
        numbers,
        repeated(
          fc.constantFrom('.0', '-0', '.1', 'p1', 'm', '-svn', '-alpha', '-Final', '-pre'),
          3,
        ),
        fc.constantFrom('-final', 'p2', '.fix1', '-SNAPSHOT', '-dev-r1', '.0-svn'),
      ),
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
      words('.1', '-dev', '+1', '-stable'),
    ),
  },
  { facts: 'debian', ecosystems: ['Debian', 'Ubuntu', 'Echo'], version: debian },
  {
    facts: 'alpine',
    ecosystems: [
      ...['Alpine', 'Wolfi', 'Chainguard', 'Alpaquita', 'BellSoft Hardened Containers'],
      ...['MinimOS', 'CleanStart'],
    ],
    version: alpine,
  },
  {
    facts: 'red-hat',
    ecosystems: [
      ...['Red Hat', 'Rocky Linux', 'AlmaLinux', 'SUSE', 'openSUSE', 'openEuler', 'Azure Linux'],
      ...['Mageia', 'Photon OS'],
    ],
    version: rpm,
  },
  {
    facts: 'opam',
    ecosystems: ['opam'],
    version: joined(
      words('v'),
      numbers,
      repeated(fc.constantFrom('~', '+', 'a', '.', '-', '_', '0', '1', '~rc1', '-1'), 4),
    ),
  },
  {
    facts: 'ghc',
    ecosystems: ['GHC'],
    version: joined(numbers, words('-alpha1', '-alpha10', 'alpha.1', '-beta1', '-rc1', '-rc01')),
  },
  { facts: 'kubernetes', ecosystems: ['Kubernetes'], version: semver },
  { facts: 'vscode', ecosystems: ['VSCode'], version: semver },
  { facts: 'hackage', ecosystems: ['Hackage'], version: numbers },
  {
    facts: 'cran',
    ecosystems: ['CRAN', 'Bioconductor'],
    version: numbers.map((text) => text.replace('.', '-')),
  },
];

/** Small changes; some give an equal version in some ecosystem. */
const CHANGES: readonly ((version: string) => string)[] = [
  (version) => `${version}.0`,
  (version) => `${version}-0`,
  (version) => `${version}-r0`,
  (version) => `${version}+1`,
  (version) => `${version}~`,
  (version) => `0:${version}`,
  (version) => `v${version}`,
  (version) => `0${version}`,
  (version) => version.slice(0, -1),
  (version) => version.slice(1),
  (version) => version.toUpperCase(),
  (version) => version.replace(/\d+/, (digits) => `0${digits}`),
  (version) => version.replace('.', '-'),
  (version) => version.replace('-', '.'),
  (version) => version.replace(/[-_.+~]/, ''),
  (version) => version.replace(/\.0/, ''),
  (version) => version.replace(/(\d)([a-z])/i, '$1.$2'),
  (version) => version.replace(/\d(?!.*\d)/, (digit) => String((Number(digit) + 1) % 10)),
];

/** Versions with close relatives, and combinations of their parts. */
export function relatives(version: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const change = fc.constantFrom(...CHANGES);
  const family = fc
    .tuple(version, version, fc.array(change, { minLength: 3, maxLength: 5 }), fc.nat({ max: 6 }))
    .map(([one, other, changes, at]) => [
      one,
      ...changes.map((apply) => apply(one)),
      (changes[0] ?? String)((changes[1] ?? String)(one)),
      one.slice(0, at) + other.slice(at),
    ]);
  return fc.array(family, { minLength: 2, maxLength: 4 }).map((families) => families.flat());
}

/** Arbitrary texts, some made of characters common in versions. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'0019.-~^+:_!avr') }),
  fc.string({ unit: fc.constantFrom('0', '1', '.', '-'), maxLength: 5 }),
);
