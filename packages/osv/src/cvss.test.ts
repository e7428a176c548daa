import { bandOf, readVector } from './cvss';

describe('CVSS base scores as FIRST publishes them', () => {
  test.each([
    // CVSS v2 guide, section 3.3: CVE-2002-0392, CVE-2003-0818, CVE-2003-0062.
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10.0],
    ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2],
    // CVSS v3.0 and v3.1 examples: MySQL CVE-2013-0375, POODLE, VMware CVE-2012-1516,
    // Tomcat CVE-2009-0783, IOS CVE-2012-0384, Heartbleed, Shellshock, DNS CVE-2008-1447,
    // Sophos CVE-2014-2005, Joomla CVE-2010-0467, Junos CVE-2013-6014, Adobe CVE-2009-0658.
    ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
    ['CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N', 6.8],
    ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N', 5.8],
    ['CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 9.3],
    ['CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    // CVSS v4.0 examples: nginx CVE-2022-41741, CVE-2020-3549, Heartbleed, Log4Shell.
    ['CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
    ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10.0],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ])('%s is %d', (vector, score) => {
    expect(readVector(vector)).toMatchObject({ score, vector });
  });
});

describe('only the base metrics count', () => {
  test.each([
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C/E:U/RL:OF/RC:UC/CDP:H/TD:L/CR:L/IR:L/AR:L', 7.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N/E:U/RL:O/RC:U/MAV:P/CR:L', 7.5],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N/E:U/CR:L/MAV:P/U:Green', 8.7],
  ])('%s is %d', (vector, score) => {
    expect(readVector(vector)?.score).toBe(score);
  });
});

describe('a malformed vector is no vector', () => {
  test.each([
    ['a word', 'medium'],
    ['nothing', ''],
    ['a prefix alone', 'CVSS:3.1/'],
    ['an unknown version', 'CVSS:5.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['version 3 without its prefix', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['a missing metric', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H'],
    ['a value of another version', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:U/A:U'],
    ['a metric that stands twice', 'CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['an unknown metric', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/XX:Y'],
    [
      'a metric named like an object property',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/constructor:H',
    ],
  ])('%s', (_what, text) => {
    expect(readVector(text)).toBeNull();
  });
});

test.each([
  [0, 'none'],
  [0.1, 'low'],
  [3.9, 'low'],
  [4, 'medium'],
  [6.9, 'medium'],
  [7, 'high'],
  [8.9, 'high'],
  [9, 'critical'],
  [10, 'critical'],
])('a base score of %d is %s', (score, band) => {
  expect(bandOf(score)).toBe(band);
});
