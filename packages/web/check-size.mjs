import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** What the first view may load, packed: the entry, what it imports, and the overview. */
const mostBytes = 250 * 1024;
const firstViews = ['index.html', 'src/features/overview/overview.tsx'];

const folder = new URL('dist/page/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8'));
const files = new Set();

function addWithImports(name) {
  const entry = manifest[name];
  if (!entry) throw new Error(`The build has no ${name}.`);
  if (files.has(entry.file)) return;
  files.add(entry.file);
  for (const css of entry.css ?? []) files.add(css);
  for (const imported of entry.imports ?? []) addWithImports(imported);
}

for (const name of firstViews) addWithImports(name);
const bytes = [...files].reduce(
  (sum, file) => sum + gzipSync(readFileSync(new URL(file, folder))).length,
  0,
);
const told = `${(bytes / 1024).toFixed(0)} KiB of ${mostBytes / 1024} KiB, packed`;
console.log(`first view: ${told}`);
if (bytes > mostBytes) {
  console.error(`The first view is too large: ${told}. Load a part of it later.`);
  process.exit(1);
}
