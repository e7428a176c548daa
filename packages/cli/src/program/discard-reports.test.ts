import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { usageError } from '../exit-codes';
import { buildProgram } from '../program';
import { discardReports } from './discard-reports';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-discard-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Which of the files are left after a call without a key. */
async function leftAfter(files: readonly string[], args: readonly string[]): Promise<string[]> {
  for (const file of files) writeFileSync(path.join(folder, file), 'of an earlier run');
  const program = buildProgram({
    version: '1',
    folder,
    input: process.stdin,
    context: () => {
      throw usageError('No API key.');
    },
    ended: () => {},
  });
  const call = args.map((one) => one.replace('=', `=${folder}/`));
  await expect(program.parseAsync(call, { from: 'user' })).rejects.toThrow();
  await discardReports(program, folder);
  return files.filter((file) => existsSync(path.join(folder, file)));
}

const outputs = ['--output', 'json=a.json', '--output', 'junit=a.xml'];

test.each([
  ['a missing key', ['check', 'bom.json', ...outputs]],
  ['an unknown flag', ['check', 'bom.json', ...outputs, '--no-such']],
  ['a missing argument', ['check', ...outputs]],
  ['a missing flag', ['upload', 'bom.json', ...outputs]],
  ['another format that does not exist', ['status', 'id', ...outputs, '--output', 'text']],
])('%s leaves no report of an earlier run', async (_what, args) => {
  expect(await leftAfter(['a.json', 'a.xml'], args)).toEqual([]);
});

test('a document is left, whether it is named or found by a pattern', async () => {
  const files = ['a.json', 'a.xml'];
  for (const document of [`${folder}/a.json`, '*.json'])
    expect(await leftAfter(files, ['check', document, ...outputs])).toEqual(['a.json']);
});
