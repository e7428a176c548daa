import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readProjectFile } from './project-file';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-ignores-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string): ReturnType<typeof readProjectFile> {
  const file = path.join(folder, 'project.yaml');
  writeFileSync(file, text);
  return readProjectFile(folder, file);
}

test('entries stand beside the settings; a day counts whole', () => {
  const { values, ignores } = read(`project: shop
ignore:
  - id: CVE-2021-44906
    reason: Only in the build.
    expires: 2027-03-31
  - { id: ghsa-xvch-5gv4-984h, reason: r, expires: 2027-01-01T08:00:00Z, package: 'pkg:npm/%40a/b' }
`);
  expect(values).toEqual({ project: 'shop' });
  expect(ignores).toEqual([
    {
      id: 'CVE-2021-44906',
      reason: 'Only in the build.',
      expiresAt: new Date('2027-04-01T00:00:00Z'),
      package: undefined,
      line: 3,
    },
    {
      id: 'ghsa-xvch-5gv4-984h',
      reason: 'r',
      expiresAt: new Date('2027-01-01T08:00:00Z'),
      package: 'pkg:npm/%40a/b',
      line: 6,
    },
  ]);
});

test('an empty list ignores nothing', () => {
  expect([read('ignore: []\n').ignores, read('ignore:\n').ignores]).toEqual([[], []]);
});

test.each([
  ['ignore: CVE-1', 1, '`ignore` must be a list'],
  ['ignore:\n  - CVE-2021-1', 2, 'needs `id`, `reason` and `expires`'],
  ['ignore:\n  - id: CVE-2021-1\n    expires: 2027-01-01', 2, 'Add `reason`'],
  ['ignore:\n  - id: CVE-2021-1\n    reason: r', 2, 'Add `expires`'],
  ['ignore:\n  - id: CVE-2021-1\n    reason: " "\n    expires: 2027-01-01', 2, 'Add `reason`'],
  ['ignore:\n  - id: CVE-2021-1\n    reason: r\n    expires: soon', 4, 'a day such as'],
  ['ignore:\n  - id: CVE-2021-1\n    reason: r\n    expires: 2027-02-30', 4, 'a day such as'],
  ['ignore:\n  - id: CVE-2021-1\n    reason: r\n    until: 2027-01-01', 4, 'unknown entry "until"'],
  ['ignore:\n  - id: everything\n    reason: r\n    expires: 2027-01-01', 2, 'no id such as'],
  ['ignore:\n  - id: [CVE-1]\n    reason: r\n    expires: 2027-01-01', 2, '`id` must be text'],
  [
    'ignore:\n  - id: CVE-1\n    reason: r\n    expires: 2027-01-01\n    package: pkg:npm/a@1',
    5,
    'Leave the version out',
  ],
  ['project: a\nproject: b', 2, 'not valid YAML'],
  ['project: shop\nnope: 1', 2, 'unknown entry "nope"'],
  ['project: shop\n  service: [', 1, 'not valid YAML'],
])('%j is refused with its line', (text, line, says) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringMatching(new RegExp(`project\\.yaml:${line}\\b`)),
    }),
  );
  expect(() => read(text)).toThrow(says);
});
