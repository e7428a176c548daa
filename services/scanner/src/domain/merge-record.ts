/** What is stored about an advisory, as far as a feed's next version of it is judged by it. */
export interface HeldRecord {
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
export type MergeDecision = 'write' | 'adopt' | 'keep';

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
export function mergeRecord(held: HeldRecord | null, incoming: IncomingRecord): MergeDecision {
  if (!held) return 'write';
  const otherwise = held.labels.includes(incoming.label) ? 'keep' : 'adopt';
  if (held.fingerprint === incoming.fingerprint) return otherwise;
  const heldByFeed = held.labels.some((label) => !isStarterLabel(label));
  const fromStarter = isStarterLabel(incoming.label);
  if (heldByFeed && fromStarter) return otherwise;
  if (!heldByFeed && !fromStarter) return 'write';
  return incoming.modified >= held.modified ? 'write' : otherwise;
}
