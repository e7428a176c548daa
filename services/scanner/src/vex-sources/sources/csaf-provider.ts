import { z } from 'zod';
import type { HttpOptions } from '../../feeds/sources/http-get';
import { withoutCredentials } from '../../feeds/domain/feed-view';
import type { VexEntry, VexList, VexSource } from '../ports';
import {
  listText,
  maxDocumentBytes,
  maxListBytes,
  parseList,
  remoteFiles,
  type RemoteFiles,
} from './remote-files';

export const providerMetadata = 'provider-metadata.json';

/** As far as it is needed. Source: CSAF 2.0, sections 7.1.7 to 7.1.15. */
const metadata = z.object({
  distributions: z.array(
    z.object({
      directory_url: z.string().optional(),
      rolie: z
        .object({ feeds: z.array(z.object({ url: z.string(), tlp_label: z.string().optional() })) })
        .optional(),
    }),
  ),
});

const rolie = z.object({
  feed: z.object({
    entry: z.array(
      z.object({
        updated: z.string().optional(),
        link: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
        content: z.object({ src: z.string() }).optional(),
      }),
    ),
  }),
});

/** Reads one list. */
type ReadList = (path: string) => Promise<VexList | 'absent'>;

/** A CSAF provider: the address of its `provider-metadata.json`, with ROLIE feeds and directories on the same server. */
export function createCsafProvider(address: string, http: HttpOptions): VexSource {
  const { files, path } = remoteFiles(address, http);
  return {
    origin: withoutCredentials(address),
    isLocal: false,
    async lists(known, signal) {
      const limits = { most: maxListBytes, signal };
      const found = await files.read(path, null, limits);
      if (found === 'absent' || found === 'unchanged')
        throw new Error(`${path} does not exist (status 404)`);
      const parsed = metadata.safeParse(parseList(listText(found.content, path), path));
      if (!parsed.success) throw new Error(`${path} is no provider metadata with distributions`);
      const reading = (parse: (text: string, list: string) => VexEntry[]): ReadList =>
        readList(files, { known, limits, parse });
      const feed = reading((text, list) => feedEntries(files, text, list));
      const changes = reading((text, list) => changesEntries(files, text, list));
      const plain = reading((text, list) => indexEntries(files, text, list));
      const lists: VexList[] = [];
      for (const { rolie: own, directory_url } of parsed.data.distributions) {
        for (const { url } of own?.feeds ?? [])
          lists.push(existing(await feed(files.pathOf(url, path)), url));
        if (directory_url !== undefined && !own)
          lists.push(await directory(files.pathOf(directory_url, path), { changes, plain }));
      }
      return lists;
    },
    read: (key, known, signal) => files.read(key, known, { most: maxDocumentBytes, signal }),
  };
}

function readList(
  files: RemoteFiles,
  given: {
    known: ReadonlyMap<string, string>;
    limits: { most: number; signal: AbortSignal };
    parse: (text: string, list: string) => VexEntry[];
  },
): ReadList {
  return async (name) => {
    const known = given.known.get(name) ?? null;
    const found = await files.read(name, known, given.limits);
    if (found === 'absent') return found;
    if (found === 'unchanged') return { name, fingerprint: known, entries: found };
    const entries = given.parse(listText(found.content, name), name);
    return { name, fingerprint: found.fingerprint, entries };
  };
}

function existing(list: VexList | 'absent', name: string): VexList {
  if (list === 'absent') throw new Error(`${name} does not exist (status 404)`);
  return list;
}

/** `changes.csv` tells when each document changed; `index.txt` names them only. */
async function directory(
  path: string,
  { changes, plain }: { changes: ReadList; plain: ReadList },
): Promise<VexList> {
  const folder = path.endsWith('/') ? path : `${path}/`;
  const found = await changes(`${folder}changes.csv`);
  return found === 'absent' ? existing(await plain(`${folder}index.txt`), folder) : found;
}

function feedEntries(files: RemoteFiles, text: string, list: string): VexEntry[] {
  const parsed = rolie.safeParse(parseList(text, list));
  if (!parsed.success) throw new Error(`${list} is no ROLIE feed`);
  return parsed.data.feed.entry.flatMap(({ updated, link, content: own }) => {
    const href = link?.find(({ rel }) => rel === 'self')?.href ?? own?.src;
    return href === undefined ? [] : [{ key: files.pathOf(href, list), stamp: updated ?? null }];
  });
}

const changesLine = /^"?([^",]+\.json)"?\s*,\s*"?([^",]+)"?$/;

function changesEntries(files: RemoteFiles, text: string, list: string): VexEntry[] {
  return lines(text).map((line) => {
    const [, path, stamp = null] = changesLine.exec(line) ?? [];
    if (path === undefined) throw new Error(`${list} has a line that names no document`);
    return { key: files.pathOf(path, list), stamp };
  });
}

function indexEntries(files: RemoteFiles, text: string, list: string): VexEntry[] {
  return lines(text).map((line) => {
    if (!/^[^<>"]+\.json$/.test(line)) throw new Error(`${list} has a line that names no document`);
    return { key: files.pathOf(line, list), stamp: null };
  });
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
