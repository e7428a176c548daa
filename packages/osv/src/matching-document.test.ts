import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MATCHED_ECOSYSTEMS } from './ecosystems';

test('docs/matching.md has a row for each matched ecosystem, and for no other', () => {
  const text = readFileSync(join(__dirname, '../../../docs/matching.md'), 'utf8');
  const section = text.split('\n## Matched ecosystems\n')[1]?.split('\n#')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const names = rows.slice(2).map((row) => row.split('|')[1]?.trim());
  expect(names.sort()).toEqual([...MATCHED_ECOSYSTEMS].sort());
});
