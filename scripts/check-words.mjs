// Fails on identifiers, string codes and file names that use a retired word (scripts/lib/retired-words.cjs).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { retiredNames } from './lib/retired-words.cjs';

/** Folders and files that still use retired names; an entry without any is an error. Remove them as they are renamed. */
const notCleanYet = ['packages/testkit/src/retired-words.test.ts'];

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(tsx?|mjs|cjs|js)$/.test(file))
  .filter((file) => !file.includes('/generated/') && !file.endsWith('retired-words.cjs'));

const dirty = new Set();
const problems = [];
for (const file of files) {
  const found = retiredNames(file, readFileSync(file, 'utf8'));
  const entry = notCleanYet.find((one) => file.startsWith(one));
  if (entry !== undefined && found.length > 0) dirty.add(entry);
  if (entry !== undefined && !process.argv.includes('--all')) continue;
  for (const { line, name, instead } of found)
    problems.push(`${file}${line > 0 ? `:${line}` : ''}: ${name} is retired; use ${instead}`);
}
for (const entry of notCleanYet)
  if (!dirty.has(entry)) problems.push(`${entry} is clean: remove it from notCleanYet`);

for (const problem of problems) console.error(problem);
console.log(`words: ${files.length} files, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
