import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { deferred } from './bundle/deferred.mjs';
import { noticesOf, sbomOf } from './bundle/notices.mjs';
import { packageOf } from './bundle/package-of.mjs';
import { KEPT_WHOLE, PIECES } from './bundle/pieces.mjs';
import { bundleFolderBanner, placeModules } from './bundle/place-modules.mjs';
import { IMAGES, WORKERS } from './bundle/programs.mjs';

/**
 * `npm run bundle [-- <image> …]`: writes `dist/images/<image>/`, all that an image of ours holds
 * beside Node.js: one file a program, what it reads from disk, licences and a list of what is in it.
 * The folder runs wherever it is put, read-only too: `node dist/images/gateway/main.js`.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(IMAGES, name));
if (unknown) {
  console.error(`There is no image ${unknown}: ${Object.keys(IMAGES).join(', ')}.`);
  process.exit(1);
}
const sizes = [];
for (const image of asked.length > 0 ? asked : Object.keys(IMAGES))
  sizes.push(await bundleImage(image));
console.log('image        code  read from disk  notices   total (MB)');
for (const { image, code, files, notices } of sizes) {
  const cells = [
    [code, 6],
    [files, 16],
    [notices, 9],
    [code + files + notices, 8],
  ];
  const text = cells.map(([bytes, width]) => (bytes / 1e6).toFixed(1).padStart(width)).join('');
  console.log(`${image.padEnd(11)}${text}`);
}

/** Makes the folder of one image anew; gives the bytes of its parts. */
async function bundleImage(image) {
  const folder = join(root, 'dist', 'images', image);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const used = new Set();
  const inputs = new Set();
  const programs = Object.entries(IMAGES[image]).map(([to, from]) => ({ from, to }));
  // Those of one folder together: a module that several of them need is read once.
  for (const together of [programs, WORKERS[image] ?? []]) {
    if (together.length === 0) continue;
    const inside = new Set();
    // In this order: the first one also loads what the second would take for a file.
    const plugins = [...(image === 'cli' ? [deferred(inside)] : []), placeModules(used)];
    const { metafile } = await bundlePrograms(together, folder, plugins);
    for (const input of [...Object.keys(metafile.inputs), ...inside])
      if (!input.startsWith('deferred:')) inputs.add(resolve(root, input));
    for (const { imports } of Object.values(metafile.outputs)) {
      for (const { path, external } of imports) if (external && path in KEPT_WHOLE) used.add(path);
    }
  }
  for (const name of used) copyPieces(name, folder);

  const packages = new Map();
  for (const file of inputs) add(packages, packageOf(file));
  for (const name of used) add(packages, packageOf(join(packageFolder(name), 'package.json')));
  for (const name of [...used].flatMap(contentsOf))
    add(packages, packageOf(join(packageFolder(name), 'package.json')));
  const theirs = [...packages.values()].filter(({ name }) => !name.startsWith('@bomtrail/'));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('package.json', `${JSON.stringify({ private: true, type: 'commonjs' })}\n`);
  write('THIRD-PARTY-NOTICES.txt', noticesOf(theirs));
  write('sbom.cdx.json', `${JSON.stringify(sbomOf({ image, version, packages: theirs }))}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const code = programs.reduce((sum, { to }) => sum + bytesOf(join(folder, `${to}.js`)), 0);
  const notices = ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'];
  const beside = notices.reduce((sum, name) => sum + bytesOf(join(folder, name)), 0);
  return { image, code, files: bytesOf(join(folder, 'node_modules')), notices: beside };
}

function add(packages, found) {
  packages.set(`${found.name}@${found.version}`, found);
}

/**
 * Programs that end up in one folder, each as a file of its own. Names and lines stay readable, so that a stack
 * trace in a log says where without its source map; the map, for `node --enable-source-maps`, lies beside.
 */
function bundlePrograms(programs, folder, plugins) {
  const missing = programs.find(({ from }) => !existsSync(join(root, from)));
  if (missing) throw new Error(`${missing.from} is missing: run "npm run build" first.`);
  const [{ to }] = programs;
  return build({
    absWorkingDir: root,
    entryPoints: programs.map(({ from, to: out }) => ({ in: join(root, from), out })),
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: Object.keys(KEPT_WHOLE),
    define: { BOMTRAIL_CLI_VERSION: JSON.stringify(version) },
    banner: { js: bundleFolderBanner(to.split('/').length - 1) },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins,
  });
}

/** Copies what a package's modules read from disk to where they look for it. */
function copyPieces(name, folder) {
  const from = packageFolder(name);
  for (const file of KEPT_WHOLE[name] ?? PIECES[name].files) {
    cpSync(join(from, file), join(folder, 'node_modules', name, file), {
      recursive: true,
      filter: (path) => !/\.(map|d\.ts|tsbuildinfo)$/.test(path),
    });
  }
}

/** Names of the packages whose code is in the files of a package. */
function contentsOf(name) {
  const list = PIECES[name]?.contents;
  return list ? JSON.parse(readFileSync(join(packageFolder(name), list), 'utf8')) : [];
}

function packageFolder(name) {
  const at = [join(root, 'node_modules', name), ...nestedFolders(name)].find((one) =>
    existsSync(one),
  );
  if (!at) throw new Error(`The package ${name} is not installed.`);
  return at;
}

/** Where npm puts a package that only one workspace asks for. */
function nestedFolders(name) {
  return ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((one) => join(root, parent, one, 'node_modules', name)),
  );
}

/** Bytes of a file or of all files below a folder, without source maps; 0 when there is none. */
function bytesOf(path) {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return path.endsWith('.map') ? 0 : statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
