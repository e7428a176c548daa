import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { repositoryRoot } from './support/real-data';

function read(file: string): string {
  return readFileSync(path.join(repositoryRoot, file), 'utf8');
}

/** The text of all fenced blocks of a document. */
function examples(document: string): string {
  return [...document.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
}

const readme = read('README.md');

test('README lists the matched ecosystems, and no other', () => {
  const bullets = [
    ...readme.matchAll(/^- \*\*(?:Languages and tools|Linux distributions)\*\*: (.*)\.$/gm),
  ];
  const listed = bullets.flatMap(([, names = '']) => names.split(', '));
  expect(listed.sort()).toEqual([...MATCHED_ECOSYSTEMS].sort());
});

test('every document that an example of README reads is in the repository', () => {
  const named = [...examples(readme).matchAll(/[\w./-]+\.json\b/g)].map(([file]) => file);
  const files = named.filter((file) => !/^\*|^\/|\/\*/.test(file) && !file.startsWith('.json'));
  expect(files.length).toBeGreaterThan(2);
  expect(files.filter((file) => !existsSync(path.join(repositoryRoot, file)))).toEqual([]);
});

test.each([
  'README.md',
  'CONTRIBUTING.md',
  'docs/ci.md',
  'docs/api-keys.md',
  'docs/operations/feeds.md',
])('every npm script that %s names exists', (document) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [
    ...read(document).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)\b(?! -w| --workspace)/g),
  ].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('README names only settings that exist', () => {
  const settings = read('docs/generated/settings.md');
  const section = readme.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '';
  const named = [...section.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  const unknown = named.filter((name) => !settings.includes(`\`${name}\``) && name !== 'NAME_FILE');
  expect(
    unknown.filter((name) => !read('packages/embedded/README.md').includes(`\`${name}\``)),
  ).toEqual([]);
});

test('the help of the command line names every variable that it reads', () => {
  const named = (file: string, pattern: RegExp): string[] => [
    ...new Set(
      [...read(`packages/cli/src/${file}`).matchAll(pattern)].map(([, name = '']) => name),
    ),
  ];
  const flags = named('program.ts', /BOMTRAIL_([A-Z_]+)/g);
  const build = named('gate/build-of.ts', /'BOMTRAIL_([A-Z_]+)'/g);
  const settings = [...named('settings/read-settings.ts', /'BOMTRAIL_([A-Z_]+)'/g), ...build];
  expect(settings.length).toBeGreaterThan(10);
  expect(build.length).toBe(2);
  expect(settings.filter((name) => !flags.includes(name))).toEqual([]);
  const keys = named('settings/project-file.ts', /^ {2}'([a-z_]+)',$/gm);
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !settings.includes(key.toUpperCase()))).toEqual([]);
});

test('the guide for CI has every exit code that a run decides', () => {
  const codes = [...read('packages/cli/src/exit-codes.ts').matchAll(/^ {2}\w+: (\d+),/gm)].map(
    ([, code]) => code,
  );
  const table = [...read('docs/ci.md').matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => code);
  expect(codes).toEqual(expect.arrayContaining(table));
  expect(table).toEqual(['0', '1', '2', '3', '4']);
});
