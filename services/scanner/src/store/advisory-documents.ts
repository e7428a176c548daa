import { affectedKeys, MATCHED_ECOSYSTEMS, type OsvRecord } from '@bomtrail/osv';
import type { IndexPlan } from '@bomtrail/service-kit';
import type { GroupedAdvisory } from '../domain/assess-version';
import type { StoredRecord } from '../domain/merge-record';

/**
 * An advisory as it is stored: its newest version, which may belong to a revision that is not in
 * force yet. The version that it replaced is in `superseded_advisories` as long as anybody may read it.
 */
export interface AdvisoryDocument extends StoredRecord {
  /** The advisory's id. */
  _id: string;
  labels: string[];
  /** Keys of the packages that it names, of the ecosystems that are matched. */
  affects: string[];
  aliases: string[];
  /** Id of its alias group. */
  group: string;
  withdrawn: boolean;
  /** First revision that has this version. */
  from_revision: number;
  /** The revision with which it, or anything else in its group, changed last. */
  changed_revision: number;
  /** Digest over the bytes of the file that it was read from: the same bytes need not be read again. */
  file_digest: string;
  /** `MATCHING_RULES_VERSION` that `affects` was derived with. */
  rules: number;
  /** The record as JSON text: it is only ever read as a whole. */
  record: string;
}

/** A version of an advisory that was replaced or removed. */
export interface SupersededDocument extends Omit<AdvisoryDocument, 'labels' | 'file_digest'> {
  /** `<advisory id>@<until_revision>` */
  _id: string;
  advisory: string;
  /** The revision with which it is in force no more. */
  until_revision: number;
}

/** An advisory of a feed on its way into the store. */
export interface AdvisoryWrite {
  record: OsvRecord;
  text: string;
  fingerprint: string;
  fileDigest: string;
  labels: string[];
  group: string;
  affects: string[];
  /** Whether a version of it is held. */
  isStored: boolean;
}

/** An advisory as the rules read it, with what the settling of changes needs to know. */
export interface StoredAdvisory extends GroupedAdvisory {
  affects: string[];
  changed_revision: number;
}

/** What the alias groups are drawn from. */
export interface AdvisoryNames {
  id: string;
  aliases: string[];
  group: string;
}

export const advisoryIndexes: IndexPlan = {
  advisories: [
    { key: { affects: 1 } },
    { key: { group: 1 } },
    { key: { labels: 1 } },
    { key: { aliases: 1 } },
    { key: { changed_revision: 1 } },
  ],
  superseded_advisories: [
    { key: { affects: 1 } },
    { key: { group: 1 } },
    { key: { until_revision: 1 } },
  ],
};

const matched: ReadonlySet<string> = new Set(MATCHED_ECOSYSTEMS);

/** The packages of a record that can ever be matched. */
export function matchedKeys(record: OsvRecord): string[] {
  return affectedKeys(record).filter((key) => matched.has(key.slice(0, key.indexOf('|'))));
}
