import type { AdvisoryData } from '@bomtrail/messages';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';

/** State of one part of a feed after its last poll. */
export interface FeedPart {
  /** `npm`, or `starter/npm` for the built-in set; unique. */
  label: string;
  /** Ecosystems that it contains. */
  covers: string[];
  /**
   * Releases of distributions that its advisories name (`releaseOfAdvisory`), including former
   * editions; absent until recorded: then every release counts as covered.
   */
  releases?: string[];
  /** Identifies the loaded edition; null when none was loaded. */
  fingerprint: string | null;
  /** The configured source that it was loaded from. */
  origin: string;
  records: number;
  /** Unreadable records of the loaded edition. */
  rejected: number;
  /** Names of some unreadable records, to be retried. */
  unread?: string[];
  /** Error of the last poll, null for none. */
  error: string | null;
  /** Time of the last poll if it failed, else null. */
  failed_at: Date | null;
  /** Time of the last successful poll. */
  checked_at: Date | null;
  /**
   * The time that the data is current for: of a server the last successful poll, of files the time
   * of the newest file.
   */
  as_of: Date | null;
  /** Last revision that changed its records, 0 for none. */
  revision: number;
  /** `MATCHING_RULES_VERSION` that its records were read with; absent while nothing was loaded. */
  rules?: number;
}

/** State of the advisory data: one document. */
export interface FeedState {
  /** Grows with every change of the advisories; 0 until some are loaded. */
  revision: number;
  /** All package versions are evaluated for this revision at least. */
  applied_revision: number;
  /** Grows with every change that findings depend on; caches are valid for one stamp. */
  stamp: number;
  data: AdvisoryData;
  parts: FeedPart[];
  /** Time of the last successful poll, null before. */
  checked_at: Date | null;
  /**
   * Why the configured folder or zip could not be read at all at the last poll. Its parts are then
   * unknown, and keep their data.
   */
  source_error?: { message: string; at: Date };
  /** When the revision came into force, by the database's clock; null while nothing is loaded. */
  in_force_at: Date | null;
  /** `MATCHING_RULES_VERSION` in force; absent while nothing is loaded. */
  rules?: number;
  /** The revision that brought these rules into force. */
  rules_revision?: number;
}

/** Whether the rules of this process are in force. */
export function hasCurrentRules(state: Pick<FeedState, 'rules'>): boolean {
  return state.rules === MATCHING_RULES_VERSION;
}

/** Whether the revision in force is applied to all package versions and sets. */
export function isApplied(state: Pick<FeedState, 'revision' | 'applied_revision'>): boolean {
  return state.applied_revision >= state.revision;
}

/**
 * Whether nothing that findings depend on changed between two reads. After a failover of the
 * database another state may have the same stamp.
 */
export function isSameState(one: FeedState, other: FeedState): boolean {
  return (
    one.stamp === other.stamp &&
    one.revision === other.revision &&
    one.applied_revision === other.applied_revision &&
    one.in_force_at?.getTime() === other.in_force_at?.getTime()
  );
}

/** State of a part that was never loaded. */
export function blankPart(part: Pick<FeedPart, 'label' | 'covers' | 'origin'>): FeedPart {
  return {
    ...part,
    fingerprint: null,
    records: 0,
    rejected: 0,
    unread: [],
    revision: 0,
    error: null,
    failed_at: null,
    checked_at: null,
    as_of: null,
  };
}
