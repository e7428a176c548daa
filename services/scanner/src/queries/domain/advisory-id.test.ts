import { expect, test } from '@jest/globals';
import { spellingsOf } from './advisory-id';

test.each([
  ['cve-2021-44228', 'CVE-2021-44228'],
  ['GHSA-JFH8-C2JP-5V3Q', 'GHSA-jfh8-c2jp-5v3q'],
  ['ghsa-jfh8-c2jp-5v3q', 'GHSA-jfh8-c2jp-5v3q'],
  ['rustsec-2020-0071', 'RUSTSEC-2020-0071'],
  ['bit-NGINX-2021-23017', 'BIT-nginx-2021-23017'],
  ['OPENSUSE-su-2022:1', 'openSUSE-SU-2022:1'],
  [' PYSEC-2021-66 ', 'PYSEC-2021-66'],
  ['Odd-Spelling-1', 'Odd-Spelling-1'],
])('%s finds %s', (written, stored) => {
  expect(spellingsOf(written)).toContain(stored);
});
