import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const script = path.join(repositoryRoot, 'templates', 'install', 'install.sh');
const { version } = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
  version: string;
};
const archive = `bomtrail-${version}-linux-${process.arch}.tar.gz`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-install-'));
  mkdirSync(path.join(folder, 'files'));
  pack('echo here');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');
const sums = (text: string): void => writeFileSync(path.join(folder, 'files', 'SHA256SUMS'), text);

/** Makes an archive of a program that does this. */
function pack(command: string): void {
  writeFileSync(path.join(folder, 'bomtrail'), `#!/bin/sh\n${command}\n`);
  const made = path.join(folder, 'files', archive);
  spawnSync('tar', ['-czf', made, '-C', folder, 'bomtrail']);
  sums(`${hashOf(made)}  ${archive}\n`);
}

interface Installed {
  status: number | null;
  said: string;
  /** What the installed program prints; null: nothing is installed. */
  runs: string | null;
}

function install(env: Record<string, string> = {}): Installed {
  const bin = path.join(folder, 'bin');
  const { status, stdout, stderr } = spawnSync('sh', [script], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      BOMTRAIL_DOWNLOADS: `file://${folder}/files/`,
      BOMTRAIL_INSTALL_DIR: bin,
      ...env,
    },
  });
  const program = path.join(bin, 'bomtrail');
  const runs = existsSync(program) ? spawnSync(program, { encoding: 'utf8' }).stdout.trim() : null;
  return { status, said: stdout + stderr, runs };
}

// The archive of this test is one for Linux.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the script installs what has the right hash, by SHA256SUMS or as given', () => {
  expect(install()).toMatchObject({ status: 0, runs: 'here' });
  sums('');
  const hash = hashOf(path.join(folder, 'files', archive));
  expect(install({ BOMTRAIL_SHA256: hash })).toMatchObject({ status: 0, runs: 'here' });
});

onLinux.each<[string, (() => void) | null, Record<string, string>, string]>([
  ['another hash in SHA256SUMS', () => sums(`${'0'.repeat(64)}  ${archive}\n`), {}, 'Nothing was'],
  ['another hash that is given', null, { BOMTRAIL_SHA256: '1'.repeat(64) }, 'instead of 1111'],
  ['no line for the archive', () => sums(`${'0'.repeat(64)}  x${archive}\n`), {}, 'does not name'],
  [
    'a damaged archive',
    () => writeFileSync(path.join(folder, 'files', archive), 'x', { flag: 'a' }),
    {},
    'Nothing was',
  ],
  ['a program that does not start', () => pack('exit 127'), {}, 'needs glibc'],
  ['no such version', null, { BOMTRAIL_VERSION: '0.0.9' }, 'cannot be downloaded'],
  ['no address', null, { BOMTRAIL_DOWNLOADS: '' }, 'set BOMTRAIL_DOWNLOADS'],
])('with %s nothing is installed', (...[, before, env, says]) => {
  before?.();
  expect(install(env)).toEqual({ status: 1, said: expect.stringContaining(says), runs: null });
});
