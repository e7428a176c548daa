import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from './en';

test('every reason of the documentation has words', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/vex.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `([a-z_]+)` +\| [^|]+\|$/gm)].map(([, name]) => name);
  expect(documented.length).toBeGreaterThan(5);
  const reasons: Readonly<Record<string, string>> = text.vexDocuments.reasons;
  expect(documented.filter((name) => name === undefined || !(name in reasons))).toEqual([]);
});
