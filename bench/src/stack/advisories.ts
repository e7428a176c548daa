import { sharedData } from '../places';
import type { DataDescription } from '../report/bench-report';

export interface AdvisoryChoice {
  kind: DataDescription['advisories'];
  /** A value of `BOMTRAIL_ADVISORY_SOURCE`; never one that needs the internet. */
  source: string;
}

/** The shared folder of OSV records where it exists, else nothing but the built-in starter set. */
export function chooseAdvisories(): AdvisoryChoice {
  const folder = sharedData('advisories');
  return folder === undefined
    ? { kind: 'starter set', source: 'starter' }
    : { kind: 'shared folder', source: folder };
}
