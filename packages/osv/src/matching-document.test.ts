import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MATCHED_ECOSYSTEMS } from './ecosystems';

const text = readFileSync(join(__dirname, '../../../docs/matching.md'), 'utf8');

test('docs/matching.md has each matched ecosystem once in its tables, and no other', () => {
  const section = text.split('\n## Matched ecosystems\n')[1]?.split('\n#')[0] ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!-|OSV name )/.test(line));
  const names = rows.flatMap((row) => row.split('|')[1]?.trim().split(', '));
  expect(names.sort()).toEqual([...MATCHED_ECOSYSTEMS].sort());
});

test('docs/matching.md says how many differences from the expected matches are explained', () => {
  const file = join(__dirname, '../testdata/differences.json');
  const explained = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
  expect(text).toContain(`the [${explained.length} explained ones](`);
});
