import { gunzipSync } from 'node:zlib';
import { readVex, type ReadVexResult, type VexLimits } from '@bomtrail/vex';

export interface ReadVexTask {
  /** The document, gzip'd. */
  bytes: Uint8Array;
  maxBytes: number;
  limits: VexLimits;
}

/** Worker thread: reads a VEX document. */
export default function readVexDocument({ bytes, maxBytes, limits }: ReadVexTask): ReadVexResult {
  return readVex(gunzipSync(bytes, { maxOutputLength: maxBytes }), limits);
}
