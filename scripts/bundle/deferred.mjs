import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Packages that few calls of the command line need, but that are most of its code. Each is in the bundle packed,
 * and compiled when it is first required: even a function that is never called costs its parsing at every start.
 */
const DEFERRED = ['undici', '@grpc/grpc-js'];

/**
 * A plugin of esbuild for that.
 *
 * @param inputs gets the files of these packages, relative to the working folder, for the notices
 */
export function deferred(inputs) {
  const names = DEFERRED.map((name) => name.replaceAll(/[/.]/g, String.raw`\$&`)).join('|');
  return {
    name: 'deferred',
    setup({ onResolve, onLoad, resolve, initialOptions }) {
      onResolve({ filter: new RegExp(`^(${names})$`) }, async ({ path, pluginData, ...given }) => {
        if (pluginData === 'inside') return undefined;
        const { importer, resolveDir, kind } = given;
        const found = await resolve(path, { importer, resolveDir, kind, pluginData: 'inside' });
        return { ...found, namespace: 'deferred' };
      });
      onLoad({ filter: /.*/, namespace: 'deferred' }, async ({ path }) => {
        const { absWorkingDir, platform, target, format } = initialOptions;
        const options = { absWorkingDir, platform, target, format, legalComments: 'none' };
        const { outputFiles, metafile } = await build({
          ...options,
          entryPoints: [path],
          outfile: 'deferred.js',
          bundle: true,
          minifySyntax: true,
          minifyWhitespace: true,
          keepNames: true,
          write: false,
          metafile: true,
          logLevel: 'warning',
        });
        for (const input of Object.keys(metafile.inputs)) inputs.add(input);
        const [code] = outputFiles;
        return { contents: moduleOf(code.text), loader: 'js' };
      });
    },
  };
}

function moduleOf(code) {
  const packed = gzipSync(code, { level: 9 }).toString('base64');
  return [
    `const code = require('node:zlib').gunzipSync(Buffer.from('${packed}', 'base64')).toString();`,
    `const run = require('node:vm').compileFunction(code, ['exports', 'require', 'module']);`,
    'run(exports, require, module);',
  ].join('\n');
}
