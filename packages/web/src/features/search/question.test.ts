import { questionOf } from './question';

test.each([
  'CVE-2021-44228',
  'cve-2021-44228',
  'GHSA-jfh8-c2jp-5v3q',
  'PYSEC-2021-1',
  'RUSTSEC-2020-0001',
  'GO-2022-0001',
])('%s is a vulnerability', (id) =>
  expect(questionOf(` ${id} `)).toEqual({ kind: 'vulnerability', id }),
);

test.each([
  ['lodash', 'lodash', undefined],
  ['lodash@4.17.15', 'lodash', '4.17.15'],
  ['lodash 4.17.15', 'lodash', '4.17.15'],
  ['@babel/core', '@babel/core', undefined],
  ['@babel/core@7.1.0', '@babel/core', '7.1.0'],
  ['org.apache.logging.log4j:log4j-core 2.14.1', 'org.apache.logging.log4j:log4j-core', '2.14.1'],
  ['go-redis', 'go-redis', undefined],
  ['left-pad', 'left-pad', undefined],
  ['base-64', 'base-64', undefined],
])('%s is the package %s in version %s', (text, name, version) =>
  expect(questionOf(text)).toEqual({ kind: 'package', name, version }),
);

test.each([
  ['license:AGPL-3.0-only', 'AGPL-3.0-only'],
  ['Licence: MIT', 'MIT'],
  ['license:LicenseRef-own', 'LicenseRef-own'],
])('%s is the licence %s', (text, license) =>
  expect(questionOf(text)).toEqual({ kind: 'licence', license }),
);

test.each(['license:network_copyleft', 'licence: Network copyleft', 'license:network-copyleft'])(
  '%s is a group of licences',
  (text) => expect(questionOf(text)).toEqual({ kind: 'licence-group', group: 'network_copyleft' }),
);

test('a purl is one', () => {
  const purl = 'pkg:npm/%40babel/core@7.1.0';
  expect(questionOf(purl)).toEqual({ kind: 'purl', purl });
});
