import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../real-data';

const read = (file: string): string => readFileSync(path.join(repositoryRoot, file), 'utf8');

test('the page has words for every documented reason why a statement does not apply', () => {
  const documented = [...read('docs/vex.md').matchAll(/^\| `([a-z_]+)` +\| [^|]+\|$/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(documented).toContain('product_not_found');
  const words = read('packages/web/src/text/en-vex.ts');
  const hasWords = (name: string) => new RegExp(`^ +${name}:\\s+'`, 'm').test(words);
  expect(documented.filter((name) => !hasWords(name))).toEqual([]);
});
