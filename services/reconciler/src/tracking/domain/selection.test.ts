import type { RuleFilter } from '@bomtrail/messages';
import { isSelected } from './selection';
import { toSnapshot } from './snapshot';
import { observation } from './testing';

const found = observation('lodash.merge@4.6.1 GHSA-1 CVE-1');
const vulnerability = { snapshot: toSnapshot([{ ...found, fixed_versions: ['4.6.2'] }]) };

describe('DC8: a filter selects a vulnerability', () => {
  test.each<RuleFilter>([
    {},
    { severity: ['low', 'high'] },
    { cve_id: ' cve-1' },
    { cve_id: 'ghsa-1' },
    { package_name: 'Lodash.Merge' },
    { package_name: 'LODASH*' },
    { package_name: '*' },
    { purl: 'pkg:npm/lodash.merge' },
    { purl: 'pkg:npm/lodash.merge@4.6.1' },
    { ecosystem: 'npm', has_fix: true, is_direct: false },
  ])('by %j', (filter) => expect(isSelected(vulnerability, filter)).toBe(true));

  test.each<RuleFilter>([
    { severity: ['low'] },
    { cve_id: 'CVE-11' },
    { package_name: 'lodash' },
    { package_name: 'merge*' },
    { package_name: 'lodash-*' },
    { purl: 'pkg:npm/lodash.merge@4.6.2' },
    { purl: 'pkg:pypi/lodash.merge' },
    { purl: 'pkg:unknown/lodash.merge' },
    { ecosystem: 'PyPI' },
    { has_fix: false },
    { is_direct: true },
    { severity: ['high'], ecosystem: 'PyPI' },
  ])('but not by %j', (filter) => expect(isSelected(vulnerability, filter)).toBe(false));

  test.each([
    [['CVE-1'], true],
    [['CVE-1', 'CVE-2'], false],
  ])('by a CVE, if a notice fixes that alone: %j', (upstream, expected) => {
    const snapshot = toSnapshot([{ ...observation('bash@5 USN-1'), upstream }]);
    expect(isSelected({ snapshot }, { cve_id: 'CVE-1' })).toBe(expected);
  });

  test.each([
    ['pkg:npm/lodash', true],
    ['pkg:npm/lodash@4.17.15', false],
    ['pkg:npm/lodash@4.17.19', false],
  ])('in several versions of a package by %s: %s', (purl, expected) => {
    const versions = ['lodash@4.17.15 GHSA-2 CVE-2', 'lodash@4.17.19 GHSA-2 CVE-2'];
    const snapshot = toSnapshot(versions.map((one) => observation(one)));
    expect(isSelected({ snapshot }, { purl })).toBe(expected);
  });

  test('only while some SBOM contains it', () => {
    expect(isSelected({ snapshot: null }, {})).toBe(false);
  });
});

test('names of PyPI are the same in every spelling', () => {
  const flask = { ...found, package_name: 'Flask_Login', ecosystem: 'PyPI' };
  const snapshot = toSnapshot([flask]);
  expect(isSelected({ snapshot }, { purl: 'pkg:pypi/flask-login' })).toBe(true);
});
