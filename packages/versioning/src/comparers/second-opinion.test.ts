import fc from 'fast-check';
import * as pep440 from '@renovatebot/pep440';
import { gt, lt } from '@renovatebot/ruby-semver';
import semver from 'semver';
import { compareNpm } from './npm';
import { comparePypi } from './pypi';
import { compareRubygems } from './rubygems';

const RUNS = { numRuns: 3000 };
const number = fc.nat({ max: 12 }).map(String);
const three = fc.tuple(number, number, number).map((list) => list.join('.'));
const some = fc.array(number, { minLength: 1, maxLength: 4 }).map((list) => list.join('.'));
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const words = (...all: string[]) => fc.constantFrom('', ...all);

/** The libraries lose numbers above 2^53, so they are a second opinion, not the implementation. */
describe('another implementation gives the same answers', () => {
  test('semver, for versions of npm', () => {
    const pre = words('-0', '-1', '-a', '-A', '-a.0', '-a.b', '-a-b', '-rc.2', '-rc.10');
    const version = joined(three, pre, words('+1', '+b'));
    fc.assert(
      fc.property(version, version, (a, b) => compareNpm(a, b) === semver.compare(a, b)),
      RUNS,
    );
  });

  test('pep440, for versions of PyPI', () => {
    const pre = words('a1', '.b2', '-rc1', 'c', '_preview2');
    const local = words('+1', '+a', '+1.b', '+b.1');
    const version = joined(
      words('1!'),
      some,
      pre,
      words('-1', '.post2', 'r3'),
      words('.dev1'),
      local,
    );
    fc.assert(
      fc.property(
        version,
        version,
        (a, b) => comparePypi(a, b) === Math.sign(pep440.compare(a, b)),
      ),
      RUNS,
    );
  });

  test('ruby-semver, for versions of RubyGems', () => {
    const version = joined(some, words('.a', '.rc1', '.rc.10', '-1', '.b.0', '.pre'));
    fc.assert(
      fc.property(version, version, (a, b) => {
        return compareRubygems(a, b) === (lt(a, b) ? -1 : gt(a, b) ? 1 : 0);
      }),
      RUNS,
    );
  });
});
