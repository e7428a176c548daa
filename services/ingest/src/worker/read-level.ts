import { gunzipSync } from 'node:zlib';
import { readDependencyLevel, type DependencyLevel, type LevelQuery } from '@bomtrail/sbom-formats';

export interface LevelTask {
  /** The document, gzip'd. */
  bytes: Uint8Array;
  query: LevelQuery;
}

/** Worker thread: one level of a document's dependency tree; null if its graph lists nothing for its root. */
export default function readLevel({ bytes, query }: LevelTask): DependencyLevel | null {
  return readDependencyLevel(gunzipSync(bytes), query);
}
