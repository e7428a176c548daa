import { gunzipSync } from 'node:zlib';
import { describeSbom, type SbomIdentity } from '@bomtrail/vex';

export interface DescribeSbomTask {
  /** The SBOM, gzip'd. */
  bytes: Uint8Array;
}

/** Worker thread: reads what identifies an SBOM. */
export default function describe({ bytes }: DescribeSbomTask): SbomIdentity {
  return describeSbom(gunzipSync(bytes));
}
