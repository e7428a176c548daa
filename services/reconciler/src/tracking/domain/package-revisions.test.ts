import { withPackageRevisions, isBasedOn } from './package-revisions';

const package_revisions = { revision: 7, packages: ['npm|a', 'npm|b'] };

describe('the vulnerabilities of some packages are based on a revision', () => {
  test.each([
    ['an older one than all rows do', { revision: 3 }, true],
    ['that of packages that were brought to it', { revision: 7, packages: ['npm|b'] }, true],
    ['an older one than those do', { revision: 5, packages: ['npm|a', 'npm|b'] }, true],
    ['a later one', { revision: 8, packages: ['npm|a'] }, false],
    ['that of other packages', { revision: 7, packages: ['npm|a', 'npm|c'] }, false],
    ['that of some packages, while all are asked for', { revision: 7 }, false],
  ])('%s', (_what, requested, expected) => {
    expect(isBasedOn({ revision: 4, package_revisions }, requested)).toBe(expected);
  });

  test('none does where nothing was noted', () => {
    expect(isBasedOn({ revision: 4 }, { revision: 5, packages: ['npm|a'] })).toBe(false);
  });
});

describe('what is noted of further packages', () => {
  test('is merged with packages at the same revision, within the limit', () => {
    const now = { revision: 7, packages: ['npm|c'] };
    expect(withPackageRevisions(package_revisions, now, 3).packages).toEqual([
      'npm|a',
      'npm|b',
      'npm|c',
    ]);
    expect(withPackageRevisions(package_revisions, now, 2)).toEqual(now);
    expect(withPackageRevisions(undefined, now, 3)).toEqual(now);
  });

  test.each([6, 8])('replaces packages at another revision (%i)', (revision) => {
    const now = { revision, packages: ['npm|c'] };
    expect(withPackageRevisions(package_revisions, now, 9)).toEqual(now);
  });
});
