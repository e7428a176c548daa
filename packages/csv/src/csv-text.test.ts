import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { csvCell, csvLines, type CsvValue } from './csv-text';

/** What Python's reader makes of a file. */
function readBack(text: string): string[][] {
  const script =
    'import csv,io,json,sys; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline="")))))';
  const json = execFileSync('python3', ['-c', script], { input: text });
  return JSON.parse(json.toString('utf8')) as string[][];
}

test.each<[CsvValue, string]>([
  [null, ''],
  [undefined, ''],
  ['', ''],
  [0, '0'],
  [-1.5, '-1.5'],
  [false, 'false'],
  ['plain text', 'plain text'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  [['1.0', '2.0'], '1.0 2.0'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['=cmd|"/C calc"!A0', '"\'=cmd|""/C calc""!A0"'],
  [['@scope/a', 'b'], "'@scope/a b"],
  ['＝1+1', "'＝1+1"],
  ['a\0b\u001b[31mc\u009b', 'ab[31mc'],
  ['\0=1', "'=1"],
])('the cell of %j is %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('another reader finds every text again, and none that begins like a formula', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[=+\-@\t\r\n"',;]{1,4}[a-z"',\r\n]{0,5}$/),
  );
  // Python's reader drops lines without any cell.
  const rows = fc.array(fc.array(hostile, { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(rows, (drawn) => {
      const texts = drawn.map((row) =>
        row.map((text) => text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '')),
      );
      const found = readBack(csvLines(texts));
      expect(
        found.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n＋－＝＠])/, ''))),
      ).toEqual(
        texts.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n＋－＝＠])/, ''))),
      );
      for (const cell of found.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
    { numRuns: 20 },
  );
});
