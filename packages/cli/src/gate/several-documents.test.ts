import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reportOf } from '../testing/findings';
import { findDocuments } from './find-documents';
import { generateSbom } from './generate-sbom';
import { inParallel } from './in-parallel';
import { overallOutcome } from './overall-outcome';
import { serviceNames } from './service-names';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-several-'));
  for (const name of ['b', 'a', 'node_modules']) mkdirSync(path.join(folder, name));
  for (const name of ['b/bom.json', 'a/bom.json', 'node_modules/bom.json', 'odd[1].json'])
    writeFileSync(path.join(folder, name), '{}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('patterns find files, each once; a file that looks like a pattern is that file', async () => {
  const found = await findDocuments(['b/bom.json', '**/bom.json', 'odd[1].json', '-'], folder);
  expect(found).toEqual(['b/bom.json', 'a/bom.json', 'odd[1].json', '-']);
  await expect(findDocuments(['*.cdx.json'], folder)).rejects.toThrow('No file matches');
});

test('each document has a service of its own', () => {
  const names = (pattern: string | undefined, ...files: string[]) =>
    [...serviceNames(pattern, files, '/repo').values()].join(' ');
  expect(names('web', 'bom.json')).toBe('web');
  expect(names('{file}', 'a/web.cdx.json', 'api.json')).toBe('web api');
  expect(names('x-{folder}', 'a/bom.json', 'b/bom.json', 'bom.json')).toBe('x-a x-b x-repo');
  expect(() => names('web', 'a.json', 'b.json')).toThrow('cannot all be the service "web"');
  expect(() => names('{file}', 'a/bom.json', 'b/bom.json')).toThrow('would both be');
  expect(() => names(undefined, 'a.json')).toThrow('No service given');
  expect(() => names('{fil}', 'a.json')).toThrow('"{fil}" is no placeholder');
  expect(() => names('{file}-{Folder}', 'a.json', 'b.json')).toThrow(
    '"{Folder}" is no placeholder',
  );
});

test.each<[number[], number, string]>([
  [[0, 0], 0, 'PASS 2 documents: 2 passed'],
  [[0, 4], 4, 'UNDECIDED 2 documents: 1 undecided, 1 passed'],
  [[4, 3], 3, 'ERROR 2 documents: 1 not answered, 1 undecided'],
  [[3, 2, 0], 2, 'ERROR 3 documents: 1 rejected, 1 not answered, 1 passed'],
  [
    [2, 1, 3, 4, 0],
    1,
    'FAIL 5 documents: 1 with findings that fail the gate, 1 rejected, 1 not answered, 1 undecided, 1 passed',
  ],
])('the results %j give exit code %p', (codes, exitCode, line) => {
  const documents = codes.map((code) => ({
    ...reportOf([]),
    outcome: { exitCode: code, line: '' },
  }));
  expect(overallOutcome(documents)).toEqual({ exitCode, line });
});

test('no more tasks run at the same time than allowed, and results keep their order', async () => {
  let [running, most] = [0, 0];
  const results = await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    return item * 10;
  });
  expect([results, most]).toEqual([[10, 20, 30, 40, 50], 2]);
});

test('after an error no task begins, and those in progress end before it is thrown', async () => {
  const ended: number[] = [];
  const all = inParallel([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('one');
    await new Promise((done) => setImmediate(done));
    ended.push(item);
  });
  await expect(all).rejects.toThrow('one');
  expect(ended).toEqual([2]);
});

describe('an SBOM created on the way', () => {
  const said: string[] = [];
  const say = (line: string): number => said.push(line);

  /** A program of this name alone on the PATH. */
  function generator(name: string, script: string): { PATH: string } {
    const bin = mkdtempSync(path.join(folder, 'bin-'));
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
    return { PATH: bin };
  }

  test.each([
    [
      'syft',
      'echo "{\\"args\\":\\"$2\\",\\"key\\":\\"$BOMTRAIL_API_KEY\\"}" > "${5#cyclonedx-json=}"',
    ],
    ['cdxgen', 'echo "{\\"args\\":\\"dir:$5\\",\\"key\\":\\"$BOMTRAIL_API_KEY\\"}" > "$4"'],
  ])('comes from %s, which gets the folder and no key', async (name, script) => {
    const env = { ...generator(name, script), BOMTRAIL_API_KEY: 'secret' };
    const { file, discard } = await generateSbom(folder, { env, say });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ args: `dir:${folder}`, key: '' });
    discard();
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['no program', { PATH: '/nowhere' }, 2, 'needs syft or cdxgen'],
    ['a failure', generatorLater('echo broken >&2; exit 3'), 4, 'exit code 3). broken'],
    ['nothing written', generatorLater('exit 0'), 4, 'ended without an SBOM'],
    ['no end in time', generatorLater('exec /bin/sleep 30'), 4, 'SIGKILL after at most 0.3 s'],
  ])('with %s says what to do', async (...[, env, exitCode, message]) => {
    const given = typeof env === 'function' ? env() : env;
    await expect(generateSbom(folder, { env: given, say, withinMs: 300 })).rejects.toMatchObject({
      exitCode,
      message: expect.stringContaining(message),
    });
  });

  function generatorLater(script: string): () => { PATH: string } {
    return () => generator('syft', script);
  }
});
