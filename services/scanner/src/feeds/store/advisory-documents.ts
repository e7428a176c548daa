import { affectedKeys, MATCHED_ECOSYSTEMS, type OsvRecord } from '@bomtrail/osv';
import type { IndexPlan } from '@bomtrail/mongo';
import type { GroupedAdvisory } from '../../matching/domain/assess-version';
import type { StoredRecord } from '../domain/merge-record';

/**
 * The newest version of an advisory, which may belong to a revision that is not in force yet. The
 * version it replaced stays in `superseded_advisories` while it may be read.
 */
export interface AdvisoryDocument extends StoredRecord {
  /** The advisory's id. */
  _id: string;
  labels: string[];
  /** Keys of the affected packages in supported ecosystems. */
  affects: string[];
  aliases: string[];
  /** Id of its alias group. */
  group: string;
  withdrawn: boolean;
  /** First revision with this version. */
  from_revision: number;
  /** Last revision that changed the advisory or its group. */
  changed_revision: number;
  /** Digest of the source file; unchanged files are not parsed again. */
  file_digest: string;
  /** `MATCHING_RULES_VERSION` that `affects` was derived with. */
  rules: number;
  /** The record as JSON text; always read as a whole. */
  record: string;
}

/** A replaced or removed version of an advisory. */
export interface SupersededDocument extends Omit<AdvisoryDocument, 'labels' | 'file_digest'> {
  /** `<advisory id>@<until_revision>` */
  _id: string;
  advisory: string;
  /** First revision without this version. */
  until_revision: number;
}

/** An advisory to be written. */
export interface AdvisoryWrite {
  record: OsvRecord;
  text: string;
  fingerprint: string;
  fileDigest: string;
  labels: string[];
  group: string;
  affects: string[];
  /** Whether a version of it is stored. */
  isStored: boolean;
}

/** A parsed advisory with the fields that are needed to apply changes. */
export interface StoredAdvisory extends GroupedAdvisory {
  affects: string[];
  changed_revision: number;
}

/** The fields that alias groups are derived from. */
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

/** Keys of the affected packages in supported ecosystems. */
export function matchedKeys(record: OsvRecord): string[] {
  return affectedKeys(record).filter((key) => matched.has(key.slice(0, key.indexOf('|'))));
}
