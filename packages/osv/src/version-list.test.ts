import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareIn } from './compare-versions';
import { listsEqual, numbersOf } from './version-list';
import { versionText } from './version-text';

describe('M9: versions that a list holds under another name', () => {
  test.each([
    ['PyPI', '1.0', '1.0.0'],
    ['PyPI', '1.0-1', '1.0.post1'],
    ['PyPI', '1.0a1', '1.0.alpha.1'],
    ['npm', '1.0.0', 'v1.0.0+build.7'],
    ['Go', '1.21.0-rc.2', 'go1.21rc2'],
    ['Maven', '1', '1.0.0-ga'],
    ['RubyGems', '1.13.0', '1.13.0-x86_64-linux'],
    ['NuGet', '1.0', '1.00.0.0'],
    ['Packagist', '1.0.0', 'v1.0.0'],
    ['Debian', '1.0', '0:1.0-0'],
    ['Alpine', '1.0~3fa85f6', '1.0-r0'],
    ['Rocky Linux', '1.0-1', '0:1.0-1'],
    ['Rocky Linux', '?:1.0-1', '4:1.0-1'],
    ['Bitnami', '1.0.0', '1.0.0-0'],
  ])('%s %s is %s', (ecosystem, version, listed) => {
    const compare = compareIn(ecosystem);
    if (compare === undefined) throw new Error(`${ecosystem} has no order`);
    expect(listsEqual(['9.9.9', listed], version, { ecosystem, compare })).toBe(true);
    expect(listsEqual(['9.9.9', '1.9', '9-1'], version, { ecosystem, compare })).toBe(false);
  });

  test.each([
    ['1.0.0', '1.'],
    ['0010.020', '10.20.'],
    ['1.2.3-4rc5', '1.2.3.4.5.'],
    ['1.2+3', null],
    ['1.2~3', null],
    ['1:2', null],
    ['0', ''],
    ['', ''],
  ])('the numbers of %j are %j', (version, numbers) => {
    expect(numbersOf(version)).toBe(numbers);
  });
});

/** Files of facts, one for an order; the ecosystem to read it by. */
const ECOSYSTEMS: Readonly<Record<string, string>> = {
  alpine: 'Alpine',
  bitnami: 'Bitnami',
  'conan-center': 'ConanCenter',
  cran: 'CRAN',
  debian: 'Debian',
  'github-actions': 'GitHub Actions',
  go: 'Go',
  hackage: 'Hackage',
  julia: 'Julia',
  maven: 'Maven',
  npm: 'npm',
  nuget: 'NuGet',
  opam: 'opam',
  packagist: 'Packagist',
  pub: 'Pub',
  pypi: 'PyPI',
  'red-hat': 'Rocky Linux',
  redhat: 'Rocky Linux',
  rubygems: 'RubyGems',
  semver: 'npm',
};

const OWN = join(__dirname, '../../versioning/testdata');
const SHARED = join(__dirname, '../../../../shared/data/versions');

function lostFacts(folder: string): string[] {
  const lost: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const ecosystem = ECOSYSTEMS[file.replace(/(?:-versions.*)?\.txt$/, '')];
    if (ecosystem === undefined) continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [a = '', b] = line.split(' = ');
      if (b === undefined || line.startsWith('#')) continue;
      const compare = compareIn(ecosystem);
      if (compare?.(a, b) !== 0) continue;
      if (!listsEqual([b], versionText(ecosystem, a), { ecosystem, compare })) lost.push(line);
    }
  }
  return lost;
}

describe('no fact a = b is lost by comparing only versions of the same numbers', () => {
  test('of our own facts', () => {
    expect(lostFacts(OWN)).toEqual([]);
  });

  const testWithData = existsSync(SHARED) ? test : test.skip;
  testWithData('of the shared ones (skipped where ../shared/data is missing)', () => {
    expect(lostFacts(SHARED)).toEqual([]);
  });
});
