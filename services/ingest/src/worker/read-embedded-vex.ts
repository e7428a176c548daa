import { gunzipSync } from 'node:zlib';
import { readEmbeddedVex, type EmbeddedVex, type VexLimits } from '@bomtrail/vex';

export interface ReadEmbeddedVexTask {
  /** The SBOM, gzip'd. */
  bytes: Uint8Array;
  limits: VexLimits;
}

/** Worker thread: reads what an SBOM says itself about vulnerabilities. */
export default function readEmbedded({ bytes, limits }: ReadEmbeddedVexTask): EmbeddedVex {
  return readEmbeddedVex(gunzipSync(bytes), limits);
}
