/** What is stored about an advisory, as far as a feed's next version of it is judged by it. */
export interface StoredRecord {
  /** ISO 8601 text. */
  modified: string;
  /** Digest over the record's text. */
  fingerprint: string;
  /** The parts of feeds that hold it, e.g. `npm`, `starter/npm`. */
  labels: readonly string[];
}

/** One advisory as a part of a feed has it now. */
export interface IncomingRecord {
  modified: string;
  fingerprint: string;
  label: string;
}

/** `write`: the content counts from now on; `adopt`: only the part is noted as one that holds it. */
export type MergeDecision = 'write' | 'adopt' | 'skip';

const starterPrefix = 'starter/';

/** The name of a starter set's part: apart from the feed's, so that the set can leave again. */
export function starterLabel(ecosystem: string): string {
  return `${starterPrefix}${ecosystem}`;
}

export function isStarterLabel(label: string): boolean {
  return label.startsWith(starterPrefix);
}

/**
 * Whether a record of a feed replaces what is held: a later `modified` wins, and at the same time
 * different content (a feed that was corrected). A feed always replaces what only the starter set
 * has, the starter set never what a feed has. Source: OSV schema, "modified field".
 */
export function mergeRecord(stored: StoredRecord | null, incoming: IncomingRecord): MergeDecision {
  if (!stored) return 'write';
  const otherwise = stored.labels.includes(incoming.label) ? 'skip' : 'adopt';
  if (stored.fingerprint === incoming.fingerprint) return otherwise;
  const isFromFeed = stored.labels.some((label) => !isStarterLabel(label));
  const fromStarter = isStarterLabel(incoming.label);
  if (isFromFeed && fromStarter) return otherwise;
  if (!isFromFeed && !fromStarter) return 'write';
  return incoming.modified >= stored.modified ? 'write' : otherwise;
}
