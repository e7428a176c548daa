import { gzipSync } from 'node:zlib';
import { indexLicences, type Dependency } from '@bomtrail/sbom-formats';

/** What a component set is found by in a search by licence, and what the search then shows. */
export interface PackedLicences {
  /** Of the entries, each once. */
  keys: string[];
  /** JSON array of `LicenceEntry`, gzip'd: their texts repeat each other, and a search reads those of one page. */
  entries: Uint8Array;
}

export function packLicences(components: readonly Dependency[]): PackedLicences {
  const entries = indexLicences(components);
  return {
    keys: entries.map(({ key }) => key),
    entries: gzipSync(JSON.stringify(entries), { level: 1 }),
  };
}
