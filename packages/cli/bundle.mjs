import { chmodSync, copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Makes the program one file without dependencies, and beside it the licences of what is inside.
 * The version that it tells is that of its package.json.
 */
const home = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const program = join(home, 'dist', 'bomtrail.js');

const { metafile } = await build({
  absWorkingDir: home,
  entryPoints: ['dist/tsc/main.js'],
  outfile: program,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  // An optional dependency of the table printer; without it there are no colours.
  external: ['@colors/colors'],
  banner: { js: '#!/usr/bin/env node' },
  define: { BOMTRAIL_CLI_VERSION: JSON.stringify(version) },
  metafile: true,
  logLevel: 'warning',
});
chmodSync(program, 0o755);
copyFileSync(join(home, '..', '..', 'LICENSE'), join(home, 'dist', 'LICENSE'));
writeFileSync(join(home, 'dist', 'THIRD-PARTY.txt'), licences(Object.keys(metafile.inputs)));

/** The licence of each package that files were taken from. @throws Error for one that has none */
function licences(files) {
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  return [...folders].sort().map(licence).join('\n');
}

function packageFolder(file) {
  const parts = relative('/', join(home, file)).split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  const depth = parts[at + 1].startsWith('@') ? 3 : 2;
  return `/${parts.slice(0, at + depth).join('/')}`;
}

function licence(folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const names = readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name));
  if (!about.license) throw new Error(`${about.name} names no licence.`);
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
  return `== ${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}
