import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { packageOf } from './package-of.mjs';
import { PIECES } from './pieces.mjs';

const ownPlace = /\b__(dirname|filename)\b/g;
const looksAround = /\b__dirname\b|\b__filename\b|\bimport\.meta\b|\bnew Worker\(/;

/**
 * An esbuild plugin that tells each module of `PIECES` that it lies below `node_modules` beside the
 * bundle, and fails for any other module that looks beside itself.
 *
 * @param {Set<string>} used is given the names of the packages whose files the bundle needs
 */
export function placeModules(used) {
  return {
    name: 'place-modules',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!looksAround.test(text)) return undefined;
        const { name, folder } = packageOf(path);
        const module = relative(folder, path);
        if (!PIECES[name]?.modules.includes(module)) {
          const message = `${name}/${module} looks for files beside itself: say in scripts/bundle/pieces.mjs which.`;
          return { errors: [{ text: message }] };
        }
        used.add(name);
        const at = (file) => `(bundleFolder + ${JSON.stringify(`/node_modules/${name}/${file}`)})`;
        const places = { dirname: at(dirname(module)), filename: at(module) };
        return { contents: text.replace(ownPlace, (_whole, which) => places[which]), loader: 'js' };
      });
    },
  };
}

/** What a bundle begins with: where the folder of the image's files is. `depth`: folders below it. */
export function bundleFolderBanner(depth) {
  return `const bundleFolder = require('node:path').resolve(__dirname, '${'../'.repeat(depth) || '.'}');`;
}
