import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { deferred } from '../../scripts/bundle/deferred.mjs';
import { noticesOf } from '../../scripts/bundle/notices.mjs';
import { packageOf } from '../../scripts/bundle/package-of.mjs';

/**
 * Makes the program one file without dependencies, and beside it the licences of what is inside.
 * The version that it tells is that of its package.json.
 */
const home = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const program = join(home, 'dist', 'bomtrail.js');

const inside = new Set();
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
  banner: { js: '#!/usr/bin/env node' },
  define: { BOMTRAIL_CLI_VERSION: JSON.stringify(version) },
  metafile: true,
  plugins: [deferred(inside)],
  logLevel: 'warning',
});
chmodSync(program, 0o755);
copyFileSync(join(home, '..', '..', 'LICENSE'), join(home, 'dist', 'LICENSE'));
const packages = new Map(
  [...Object.keys(metafile.inputs), ...inside]
    .filter((file) => !file.startsWith('deferred:'))
    .map((file) => packageOf(resolve(home, file)))
    .filter(({ name }) => !name.startsWith('@bomtrail/'))
    .map((found) => [found.folder, found]),
);
writeFileSync(join(home, 'dist', 'THIRD-PARTY.txt'), noticesOf(packages.values()));
