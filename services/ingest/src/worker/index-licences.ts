import { gunzipSync } from 'node:zlib';
import { indexLicences, type Dependency, type LicenceEntry } from '@bomtrail/sbom-formats';

export interface IndexLicencesTask {
  /** JSON array of dependencies, gzip'd. */
  components: Uint8Array;
}

/** Worker thread: reads the licence ids and groups of components. */
export default function index({ components }: IndexLicencesTask): LicenceEntry[] {
  return indexLicences(JSON.parse(gunzipSync(components).toString('utf8')) as Dependency[]);
}
