import { gunzipSync } from 'node:zlib';
import type { Dependency } from '@bomtrail/sbom-formats';
import { packLicences, type PackedLicences } from './pack-licences';

export interface IndexLicencesTask {
  /** JSON array of dependencies, gzip'd. */
  components: Uint8Array;
}

/** Worker thread: reads the licence ids and groups of components. */
export default function index({ components }: IndexLicencesTask): PackedLicences {
  return packLicences(JSON.parse(gunzipSync(components).toString('utf8')) as Dependency[]);
}
