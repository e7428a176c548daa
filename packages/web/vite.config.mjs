import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const { version } = JSON.parse(
  readFileSync(fileURLToPath(new URL('package.json', import.meta.url)), 'utf8'),
);

/** Writes the names of the packages whose code is in the page: their licences go into the image. */
function listPackages() {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
  return {
    name: 'list-packages',
    writeBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      const names = new Set(modules.map((id) => inPackage.exec(id)?.[1]).filter(Boolean));
      const file = fileURLToPath(new URL('dist/packages.json', import.meta.url));
      writeFileSync(file, `${JSON.stringify([...names].sort())}\n`);
    },
  };
}

/** `npm run dev -w packages/web` serves the sources and forwards the API to a running bomtrail. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  define: { __PAGE_VERSION__: JSON.stringify(version) },
  plugins: [listPackages()],
  // Everywhere: production's call, also while sources are served.
  oxc: { jsx: { importSource: '/src/jsx', development: false } },
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page forbids inline content, data URLs included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" is for servers that render; this page has none.
      onLog: (level, log, pass) => log.code === 'MODULE_LEVEL_DIRECTIVE' || pass(level, log),
    },
  },
  server: { proxy: { '/api': process.env.BOMTRAIL_URL ?? 'http://localhost:8080' } },
});
