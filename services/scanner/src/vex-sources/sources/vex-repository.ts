import { z } from 'zod';
import type { HttpOptions } from '../../feeds/sources/http-get';
import { withoutCredentials } from '../../feeds/domain/feed-view';
import type { VexSource } from '../ports';
import { listText, maxDocumentBytes, maxListBytes, parseList, remoteFiles } from './remote-files';

/** Files of a repository that are no documents. */
const ownFiles = new Set(['index.json', 'vex-repository.json', 'provider-metadata.json']);

export function isDocumentName(name: string): boolean {
  return name.endsWith('.json') && !ownFiles.has(name);
}

const index = z.object({ packages: z.array(z.object({ location: z.string() })) });

/**
 * A repository of VEX documents by the VEX Repository Specification, as plain files: `index.json` below the address names
 * a document for each package.
 */
export function createVexRepository(address: string, http: HttpOptions): VexSource {
  const { files, path } = remoteFiles(address, http);
  const list = path.endsWith('.json') ? path : `${path.replace(/\/$/, '')}/index.json`;
  return {
    origin: withoutCredentials(address),
    isLocal: false,
    async lists(known, signal) {
      const limits = { most: maxListBytes, signal };
      const found = await files.read(list, known.get(list) ?? null, limits);
      if (found === 'absent') throw new Error(`${list} does not exist (status 404)`);
      const fingerprint = known.get(list) ?? null;
      if (found === 'unchanged') return [{ name: list, fingerprint, entries: 'unchanged' }];
      const parsed = index.safeParse(parseList(listText(found.content, list), list));
      if (!parsed.success) throw new Error(`${list} is no index of a VEX repository`);
      const keys = parsed.data.packages.map(({ location }) => files.pathOf(location, list));
      const entries = [...new Set(keys)].map((key) => ({ key, stamp: null }));
      return [{ name: list, fingerprint: found.fingerprint, entries }];
    },
    read: (key, known, signal) => files.read(key, known, { most: maxDocumentBytes, signal }),
  };
}
