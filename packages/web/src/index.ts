import { join } from 'node:path';

/**
 * Folder of the built page: `index.html`, and `assets/` with a hash in each name. Gives an absolute
 * path, the same from the sources and from the build. Missing before `npm run build`.
 */
export function pageFolder(): string {
  return join(__dirname, '..', 'dist', 'page');
}
