import { execFileSync } from 'node:child_process';
import { entryOf, finding, hostileTexts, reportOf } from '../../testing/findings';
import { csvFindings } from './csv-findings';

/** The rows that Python's reader finds, by column. */
function rowsOf(csv: string): Record<string, string>[] {
  const script =
    'import csv,io,json,sys; print(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline="")))))';
  const json = execFileSync('python3', ['-c', script], { input: csv });
  return JSON.parse(json.toString('utf8')) as Record<string, string>[];
}

test('each affected component is a line, with whether it fails and why not', () => {
  const rows = [finding({ title: 'a,b' }), finding({ id: 'x', severity: 'low', cvss_score: null })];
  const ignored = new Map([['x', entryOf('CVE-1')]]);
  expect(rowsOf(csvFindings([reportOf(rows, { ignored })]))).toMatchObject([
    { document: 'shop/web 1', vulnerability: 'CVE-1', title: 'a,b', fails: 'true', suppressed: '' },
    { severity: 'low', fails: 'false', suppressed: expect.stringContaining('not reachable') },
  ]);
});

test('findings that fail are marked beyond those that the verdict names, unless only the server knows', () => {
  const rows = [finding(), finding(), finding({ severity: 'low' })];
  const failsBy = (only_new: boolean): (string | undefined)[] => {
    const verdict = { failing: [], failing_total: 2, only_new };
    return rowsOf(csvFindings([reportOf(rows, { verdict })])).map(({ fails }) => fails);
  };
  expect(failsBy(false)).toEqual(['true', 'true', 'false']);
  expect(failsBy(true)).toEqual(['', '', 'false']);
});

test.each(hostileTexts)('%j is no formula and no command', (text) => {
  const row = finding({ package_name: text, title: text, package_version: text, cve_id: text });
  const [read] = rowsOf(csvFindings([reportOf([row], { what: text })]));
  for (const cell of Object.values(read ?? {})) expect(cell).not.toMatch(/^[=+@]|##\w*\[|^::/);
});
