import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAccepted } from './accepted';
import { judge, type Row } from './judge';

const row = (own: Partial<Row>): Row => ({
  cve_id: 'CVE-2026-1',
  aliases: ['CVE-2026-1', 'GHSA-aaaa'],
  severity: 'high',
  package_name: 'left-pad',
  package_version: '1.0.0',
  fixed_versions: [],
  ...own,
});
const reason = 'Only used in a script that reads its own files.';

test.each([
  ['critical', 'refused'],
  ['high', 'refused'],
  ['unknown', 'refused'],
  ['medium', 'lower'],
  ['none', 'lower'],
] as const)('a vulnerability of severity %s is %s', (severity, where) => {
  const found = row({ severity });
  expect(judge([found], [])).toMatchObject({ refused: [], lower: [], [where]: [found] });
});

test('one that is accepted is not refused, by any of its ids and in that package only', () => {
  const [here, there] = [row({}), row({ package_name: 'right-pad' })];
  const list = [{ vulnerability: 'GHSA-aaaa', package: 'left-pad', reason }];
  const verdict = judge([here, there], list);
  expect(verdict).toMatchObject({ refused: [there], accepted: [here], unused: [] });
  expect(judge([there], list).unused).toEqual(list);
});

test('what is accepted has a reason, and the list of the repository can be read', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'bomtrail-accepted-')), 'accepted.json');
  const entry = { vulnerability: 'CVE-2026-1', package: 'left-pad' };
  writeFileSync(file, JSON.stringify([entry]));
  expect(() => readAccepted(file)).toThrow('reason');
  writeFileSync(file, JSON.stringify([{ ...entry, reason }]));
  expect(readAccepted(file)).toHaveLength(1);
  expect(readAccepted()).toEqual(expect.any(Array));
});
