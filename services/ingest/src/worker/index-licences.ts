import { gunzipSync } from 'node:zlib';
import type { Dependency } from '@bomtrail/sbom-formats';
import { packLicences, type PackedLicences } from './pack-licences';

export interface IndexLicencesTask {
  /** JSON array of dependencies, gzip'd. */
  components: Uint8Array;
}

/** Worker thread: reads the licence ids and groups of components. Null: the set is missing, and so is the result. */
export default function index(task: IndexLicencesTask | null): PackedLicences | null {
  if (task === null) return null;
  return packLicences(JSON.parse(gunzipSync(task.components).toString('utf8')) as Dependency[]);
}
