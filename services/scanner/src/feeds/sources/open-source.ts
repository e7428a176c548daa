import { stat } from 'node:fs/promises';
import { STARTER_SET_DATE, starterAdvisoriesFolder } from '@bomtrail/starter-advisories';
import { starterLabel } from '../domain/merge-record';
import { createFolderSource, statFile, stampOfFolder } from './folder-source';
import { createHttpSource, type HttpSourceOptions } from './http-source';
import type { AdvisorySource, FeedSource, Opened, SourceStamp } from './source';
import { createZipSource } from './zip-source';

/** OSV's public bulk export. Source: https://google.github.io/osv.dev/data/ "Data dumps". */
const publicExport = 'https://osv-vulnerabilities.storage.googleapis.com';

/** Setting for the built-in set only. */
const starterOnly = 'starter';

/**
 * The built-in starter set, dated by its own date: file times are those of the checkout or image.
 */
export function starterSource(): AdvisorySource {
  const folder = createFolderSource(starterAdvisoriesFolder(), starterLabel);
  const dated = (opened: Opened): Opened =>
    typeof opened === 'string' ? opened : { ...opened, asOf: new Date(STARTER_SET_DATE) };
  return {
    ...folder,
    origin: starterOnly,
    list: async (signal) =>
      (await folder.list(signal)).map((part) => ({
        ...part,
        open: async (known, aborted) => dated(await part.open(known, aborted)),
      })),
  };
}

/**
 * Opens the configured feed, null for the starter set only.
 *
 * @param configured a folder, a zip file, a base URL, `starter`, or empty for OSV's public export
 * @param options of an HTTP source
 */
export function feedSource(configured: string, options: HttpSourceOptions): FeedSource | null {
  if (configured === starterOnly) return null;
  if (configured === '' || /^https?:\/\//i.test(configured))
    return createHttpSource(configured || publicExport, options);
  return { kind: 'whole', source: fileSource(configured), stamp: () => stampOf(configured) };
}

function fileSource(path: string): AdvisorySource {
  return {
    origin: path,
    isLive: false,
    async list(signal) {
      const found = await stat(path).catch(() => null);
      if (!found) throw new Error(`${path} does not exist or cannot be read`);
      const source = found.isDirectory()
        ? createFolderSource(path, (ecosystem) => ecosystem)
        : createZipSource(path);
      return source.list(signal);
    },
  };
}

async function stampOf(path: string): Promise<SourceStamp> {
  const found = await stat(path).catch(() => null);
  if (!found) return { stamp: '', newest: 0 };
  if (found.isDirectory()) return stampOfFolder(path);
  const { fingerprint, newest } = await statFile(path);
  return { stamp: fingerprint, newest };
}
