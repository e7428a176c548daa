import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkFolder } from './check-folder';

const FOLDER = join(__dirname, '../../../../../shared/data/versions');
/** Each one is explained in `testdata/unreadable.md` and `testdata/disputed`. */
const UNREADABLE: Readonly<Record<string, number>> = {
  'alpine-versions.txt': 32,
  'packagist-versions-generated.txt': 1,
  'packagist-versions.txt': 8,
  'pypi-versions-generated.txt': 3,
  'pypi-versions.txt': 3,
  'rubygems-versions.txt': 2,
};
const DISPUTED: Readonly<Record<string, number>> = {
  'maven-versions-generated.txt': 19,
  'packagist-versions-generated.txt': 10,
  'packagist-versions.txt': 1,
};

if (existsSync(FOLDER)) {
  describe('the shared collection of version facts', () => {
    const results = checkFolder(FOLDER);

    test('has a comparer for every file', () => {
      expect(results.filter((result) => result.ecosystem === null)).toEqual([]);
      expect(new Set(results.map((result) => result.file)).size).toBeGreaterThanOrEqual(19);
    });

    test.each(results.map((result) => [result.file, result.ecosystem, result] as const))(
      'is answered rightly, both ways: %s for %s',
      (file, _ecosystem, result) => {
        expect(result.wrong).toEqual([]);
        expect(result.unreadable).toHaveLength(UNREADABLE[file] ?? 0);
        expect(result.disputed).toHaveLength(DISPUTED[file] ?? 0);
        expect(result.right).toBeGreaterThan(0);
      },
    );
  });
} else {
  test.skip('skipped: the shared collection of version facts is not beside this checkout', () => {});
}
