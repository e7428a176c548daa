import { stat } from 'node:fs/promises';
import { starterAdvisoriesFolder } from '@bomtrail/starter-advisories';
import { starterLabel } from '../domain/merge-record';
import { createFolderSource } from './folder-source';
import { createHttpSource, httpTimeouts } from './http-source';
import type { AdvisorySource } from './source';
import { createZipSource } from './zip-source';

/** OSV's public bulk export. Source: https://google.github.io/osv.dev/data/ "Data dumps". */
const publicExport = 'https://osv-vulnerabilities.storage.googleapis.com';

/** The word for "nothing but the built-in set". */
const starterOnly = 'starter';

/** The built-in set of advisories. */
export function starterSource(): AdvisorySource {
  return { ...createFolderSource(starterAdvisoriesFolder(), starterLabel), origin: starterOnly };
}

/**
 * The feed behind the starter set, null when there is to be none.
 *
 * @param configured a folder, a zip file, a base URL, `starter`, or nothing for OSV's public export
 */
export function feedSource(configured: string): AdvisorySource | null {
  if (configured === starterOnly) return null;
  if (configured === '') return createHttpSource(publicExport, httpTimeouts);
  if (/^https?:\/\//i.test(configured)) return createHttpSource(configured, httpTimeouts);
  return {
    origin: configured,
    async list(signal) {
      const found = await stat(configured).catch(() => null);
      if (!found) throw new Error(`${configured} does not exist or cannot be read`);
      const source = found.isDirectory()
        ? createFolderSource(configured, (ecosystem) => ecosystem)
        : createZipSource(configured);
      return source.list(signal);
    },
  };
}
