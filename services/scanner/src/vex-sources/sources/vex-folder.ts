import { opendir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { statFile } from '../../feeds/sources/folder-source';
import type { VexEntry, VexSource } from '../ports';
import { maxDocumentBytes } from './remote-files';
import { isDocumentName } from './vex-repository';

/** A folder with documents at any depth: every `*.json` but the index of a repository. */
export function createVexFolder(folder: string): VexSource {
  return {
    origin: folder,
    isLocal: true,
    async lists() {
      const found = await stat(folder).catch(() => null);
      if (!found?.isDirectory()) throw new Error(`${folder} is no folder that can be read`);
      const entries: VexEntry[] = [];
      for await (const entry of await opendir(folder, { recursive: true })) {
        if (!entry.isFile() || !isDocumentName(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const { fingerprint } = await statFile(path);
        entries.push({ key: relative(folder, path), stamp: fingerprint });
      }
      return [{ name: '', fingerprint: null, entries }];
    },
    async read(key) {
      const path = join(folder, key);
      const found = await stat(path).catch(() => null);
      if (!found) return 'absent';
      const isTooLarge = found.size > maxDocumentBytes;
      return { content: isTooLarge ? 'too_large' : await readFile(path), fingerprint: null };
    },
  };
}
