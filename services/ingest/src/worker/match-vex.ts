import { gunzipSync } from 'node:zlib';
import { matchStatements, type StatementMatch, type VexProduct } from '@bomtrail/vex';

export interface MatchVexTask {
  /** The SBOM, gzip'd. */
  bytes: Uint8Array;
  /** By statement. */
  products: VexProduct[][];
}

/** Worker thread: matches the products of VEX statements with an SBOM. */
export default function matchVex({ bytes, products }: MatchVexTask): StatementMatch[] {
  return matchStatements(gunzipSync(bytes), products);
}
