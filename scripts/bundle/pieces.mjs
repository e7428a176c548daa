/**
 * Modules that look for files beside themselves (`__dirname`), by package and path, with the files of
 * the package that are copied for them; in a bundle they find them below `node_modules`. A module that
 * looks beside itself and is not listed fails the bundling: it would miss its files only when it runs.
 * `contents`: a file that lists further packages whose code is in the copied files.
 */
export const PIECES = {
  '@bomtrail/api-contract': { modules: ['dist/document.js'], files: ['generated/openapi.json'] },
  '@bomtrail/sbom-formats': { modules: ['dist/schema-files.js'], files: ['dist/sbom-schemas/'] },
  '@bomtrail/starter-advisories': { modules: ['dist/index.js'], files: ['data/'] },
  '@bomtrail/web': {
    modules: ['dist/index.js'],
    files: ['dist/page/'],
    contents: 'dist/packages.json',
  },
  // Its workers are bundles of their own: programs.mjs.
  '@bomtrail/ingest': { modules: ['dist/worker/worker-pool.js'], files: [] },
  '@grpc/grpc-js': {
    modules: ['build/src/channelz.js', 'build/src/orca.js'],
    files: ['proto/'],
  },
  '@grpc/reflection': {
    modules: [
      'build/src/implementations/reflection-v1.js',
      'build/src/implementations/reflection-v1alpha.js',
    ],
    files: ['build/proto/'],
  },
  'grpc-health-check': { modules: ['build/src/health.js'], files: ['proto/'] },
  'swagger-ui-dist': {
    modules: ['absolute-path.js'],
    files: [
      'favicon-16x16.png',
      'favicon-32x32.png',
      'swagger-ui-bundle.js',
      'swagger-ui-standalone-preset.js',
      'swagger-ui.css',
    ],
  },
  // Log lines are written by the process itself: no transport, so no thread is ever started.
  pino: { modules: ['lib/transport.js'], files: [] },
  'thread-stream': { modules: ['index.js'], files: [] },
  // It looks for programs of subcommands, of which there are none.
  commander: { modules: ['lib/command.js'], files: [] },
  // It names its own file in error stacks only.
  undici: { modules: ['index.js'], files: [] },
};

/** Packages that stay as they are, each for its reason. */
export const KEPT_WHOLE = {
  // Starts threads from a file of its own that shares code with the rest of it.
  piscina: ['package.json', 'LICENSE', 'dist/'],
};
