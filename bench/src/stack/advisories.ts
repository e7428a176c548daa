import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sharedData } from '../places';
import type { DataDescription } from '../report/bench-report';

export interface AdvisoryChoice {
  kind: DataDescription['advisories'];
  /** A value of `BOMTRAIL_ADVISORY_SOURCE`; never one that needs the internet. */
  source: string;
}

/** The one ecosystem of the documents: loading the others would only take its time. */
const ecosystem = 'Go';

/**
 * The shared OSV records about Go where they exist, as a source made at `folder`; else nothing but the
 * built-in starter set.
 */
export function chooseAdvisories(folder: string): AdvisoryChoice {
  const shared = sharedData('advisories', ecosystem);
  if (shared === undefined) return { kind: 'starter set', source: 'starter' };
  mkdirSync(folder, { recursive: true });
  symlinkSync(shared, join(folder, ecosystem));
  return { kind: 'shared folder', source: folder };
}
