import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** One file of the page, packed once instead of for each request. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

export interface PageFiles {
  readonly index: PageFile;
  /** By name below `/assets/`; each name has a hash of the content. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/**
 * Reads the built page into memory (about 1 MB).
 *
 * @returns undefined if `folder` holds no built page
 * @throws on a file of a type without a media type here
 */
export function readPageFiles(folder: string): PageFiles | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const assets = join(folder, 'assets');
  const names = existsSync(assets) ? readdirSync(assets) : [];
  return {
    index: readPageFile(index),
    assets: new Map(names.map((name) => [name, readPageFile(join(assets, name))])),
  };
}

function readPageFile(path: string): PageFile {
  const type = types.get(extname(path));
  if (type === undefined) throw new Error(`The page has a file of an unknown type: ${path}.`);
  const plain = readFileSync(path);
  return { type, plain, gzipped: gzipSync(plain, { level: 9 }) };
}
