import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatasetFeed } from '../dataset/dataset-feed';
import { sharedData } from '../paths';
import type { DataDescription } from '../report/bench-report';
import { generatedAdvisories } from '../sboms/generated-document';

export interface AdvisoryChoice {
  kind: DataDescription['advisories'];
  /** A value of `BOMTRAIL_ADVISORY_SOURCE`; never one that needs the internet. */
  source: string;
  /** A folder in OSV's bulk layout with the same advisories, for what is to add to them. */
  folder: string;
}

/** The one ecosystem of the documents: loading the others would only take its time. */
const ecosystem = 'Go';

/**
 * The shared OSV records about Go where they exist, as a source made at `folder`; else nothing but the
 * built-in starter set, and in the folder what gives the same pairs.
 */
export function chooseAdvisories(folder: string): AdvisoryChoice {
  const shared = sharedData('advisories', ecosystem);
  mkdirSync(folder, { recursive: true });
  if (shared !== undefined) {
    symlinkSync(shared, join(folder, ecosystem));
    return { kind: 'shared folder', source: folder, folder };
  }
  const feed = makeDatasetFeed(folder, ecosystem);
  for (const [id, module] of generatedAdvisories()) feed.publish({ id, module });
  return { kind: 'starter set', source: 'starter', folder };
}
