import { matchingDependencies } from './matching-dependencies';

const dependency = (name: string, version: string, license: string | null = 'MIT') => ({
  name,
  version,
  license,
  purl: null,
  type: 'library',
  is_direct: false,
});
const contents = {
  dependencies: [
    dependency('lodash', '4.17.15'),
    dependency('lodash', '4.17.21'),
    dependency('@scope/Express', '5.0.0', 'Apache-2.0'),
  ],
  vulnerabilities: [
    { package_name: 'lodash', package_versions: ['4.17.15'], status: 'open' as const },
    { package_name: 'lodash', package_versions: ['4.17.15'], status: 'accepted' as const },
  ],
};
const found = (words: string, onlyVulnerable = false) =>
  matchingDependencies(contents, { words, onlyVulnerable }).map(
    ({ dependency: { name, version }, findings }) => `${name}@${version}: ${findings}`,
  );

test('open findings count at the version that has them', () => {
  expect(found('lodash')).toEqual(['lodash@4.17.15: 1', 'lodash@4.17.21: 0']);
});

test('every word must be there, in name, version or licence', () => {
  expect(found('EXPRESS apache')).toEqual(['@scope/Express@5.0.0: 0']);
  expect(found('lodash apache')).toEqual([]);
  expect(found('  ')).toHaveLength(3);
});

test('only what has findings, if asked', () => {
  expect(found('', true)).toEqual(['lodash@4.17.15: 1']);
});
