import { isDatedAhead } from '../../domain/dated-ahead';

/** The fields of a stored advisory that decide whether a feed record replaces it. */
export interface StoredRecord {
  /** ISO 8601 text. */
  modified: string;
  /** Digest of the record's text. */
  fingerprint: string;
  /** Parts that contain the advisory, e.g. `npm`, `starter/npm`. */
  labels: readonly string[];
}

/** An advisory as read from a part. */
export interface IncomingRecord {
  modified: string;
  fingerprint: string;
  label: string;
}

/** `write`: replace the content; `adopt`: add the part's label only; `skip`: no change. */
export type MergeDecision = 'write' | 'adopt' | 'skip';

const starterPrefix = 'starter/';

/** Label of a starter part, distinct from the feed part so that it can be removed separately. */
export function starterLabel(ecosystem: string): string {
  return `${starterPrefix}${ecosystem}`;
}

export function isStarterLabel(label: string): boolean {
  return label.startsWith(starterPrefix);
}

/**
 * Decides whether a feed record replaces the stored one. A later `modified` wins, as does different
 * content with the same `modified` (a corrected feed), or if the stored one is dated ahead. Feed
 * records always replace starter records, never the reverse. Source: OSV schema, "modified field".
 *
 * @param now in ms since 1970
 */
export function mergeRecord(
  stored: StoredRecord | null,
  incoming: IncomingRecord,
  now: number,
): MergeDecision {
  if (!stored) return 'write';
  const otherwise = stored.labels.includes(incoming.label) ? 'skip' : 'adopt';
  if (stored.fingerprint === incoming.fingerprint) return otherwise;
  const isFromFeed = stored.labels.some((label) => !isStarterLabel(label));
  const fromStarter = isStarterLabel(incoming.label);
  if (isFromFeed && fromStarter) return otherwise;
  if (!isFromFeed && !fromStarter) return 'write';
  const isNewer =
    incoming.modified >= stored.modified || isDatedAhead(Date.parse(stored.modified), now);
  return isNewer ? 'write' : otherwise;
}
