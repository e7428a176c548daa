import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { bandOf, readVector } from './cvss';

const EXAMPLES = readFileSync(join(__dirname, '../testdata/cvss-examples.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '))
  .map(([score = '', vector = '', cve = '']) => ({ score: Number(score), vector, cve }));

/** A figure more or less is a line of the table that somebody meant to add or take away. */
describe.each([
  ['2.0', 35],
  ['3.0', 21],
  ['3.1', 31],
  ['4.0', 34],
])('CVSS %s: all %d base scores of the official examples of FIRST', (version, count) => {
  const prefix = version === '2.0' ? 'AV:' : `CVSS:${version}/`;
  const examples = EXAMPLES.filter(({ vector }) => vector.startsWith(prefix));

  test('are there', () => {
    expect(examples).toHaveLength(count);
  });

  test.each(examples)('$vector is $score $cve', ({ vector, score }) => {
    expect(readVector(vector)).toEqual({ version, score, vector });
  });
});

test('no impact is no severity, in every version', () => {
  for (const vector of [
    'AV:N/AC:L/Au:N/C:N/I:N/A:N',
    'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:N',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N',
  ]) {
    expect(readVector(vector)?.score).toBe(0);
  }
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
    ['a metric in lower case', 'CVSS:3.1/av:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['a metric without a value', 'CVSS:3.1/AV:/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['a value of several letters', 'CVSS:3.1/AV:NA/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['a base metric that is not defined', 'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['a part that is no metric', 'CVSS:3.1/AVN/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['two prefixes', 'CVSS:3.1/CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['version 4 without its prefix', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'],
    ['version 4 with metrics of version 3', 'CVSS:4.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['version 2 with a metric of version 3', 'AV:N/AC:L/Au:N/C:P/I:P/A:P/PR:N'],
    ['a bare score', '9.8'],
    ['an unknown metric', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/XX:Y'],
    [
      'a metric named like an object property',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/constructor:H',
    ],
  ])('%s', (_what, text) => {
    expect(readVector(text)).toBeNull();
  });
});

test('whatever the text, reading it throws nothing and gives a score from 0 to 10 or nothing', () => {
  const piece = fc.constantFrom(
    ...[
      'AV:N',
      'AV:L',
      'AC:L',
      'Au:N',
      'PR:N',
      'UI:N',
      'S:U',
      'C:H',
      'C:P',
      'I:N',
      'A:N',
      'A:C',
      'AT:N',
    ],
    ...['VC:H', 'VI:N', 'VA:N', 'SC:N', 'SI:N', 'SA:N', 'E:A', ':', '', '__proto__:H'],
  );
  const prefix = fc.constantFrom('', 'CVSS:2.0/', 'CVSS:3.0/', 'CVSS:3.1/', 'CVSS:4.0/', '(');
  const vector = fc.tuple(prefix, fc.array(piece, { maxLength: 12 }));
  const text = fc.oneof(
    fc.string(),
    vector.map(([start, pieces]) => start + pieces.join('/')),
  );
  fc.assert(
    fc.property(text, (any) => {
      const score = readVector(any)?.score ?? 0;
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(10);
    }),
    { numRuns: 2000 },
  );
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
