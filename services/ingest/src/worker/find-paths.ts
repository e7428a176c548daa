import { gunzipSync } from 'node:zlib';
import { findDependencyPaths, type DependencyPaths, type PathLimits } from '@bomtrail/sbom-formats';

export interface PathsTask {
  /** The document, gzip'd. */
  bytes: Uint8Array;
  purls: readonly string[];
  limits: PathLimits;
}

/**
 * Worker thread: finds how components come into a document.
 *
 * @returns by purl, in order; null if the document's graph lists nothing for its root
 */
export default function findPaths({ bytes, purls, limits }: PathsTask): DependencyPaths[] | null {
  return findDependencyPaths(gunzipSync(bytes), purls, limits);
}
