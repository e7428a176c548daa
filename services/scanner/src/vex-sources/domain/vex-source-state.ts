/** The state of a watched source after its last poll. */
export interface VexSourceState {
  /** Folder or address, without credentials. */
  origin: string;
  /** Fingerprints of the lists, by name; a pair each, since a name is no field of a document. */
  lists: { name: string; fingerprint: string }[];
  /** Documents that the source has. */
  documents: number;
  /** The last successful poll. */
  checked_at: Date | null;
  /** Why the last poll failed; null: it did not. */
  error: string | null;
  failed_at: Date | null;
  /** Failed polls since the last successful one. */
  failures: number;
  /** The next poll is due. */
  next_at: Date;
  /** A number of documents that is too small, and since when the source has it. */
  shrunk: { documents: number; since: Date } | null;
  /**
   * The last poll ended while it followed the documents: some may be stored that are recorded nowhere, and some
   * recorded that are in no list of `lists`.
   */
  unfinished?: boolean | undefined;
  /** Since when no process that polled had the source configured; null or absent: the last one had it. */
  unwatched_since?: Date | null | undefined;
}

/** What became of one document of a source. */
export interface VexSourceDocument {
  origin: string;
  key: string;
  /** The list that has it. */
  list: string;
  stamp: string | null;
  fingerprint: string | null;
  /** The stored VEX document; null: none was ever accepted. */
  vex_id: string | null;
  /** Of the content that was accepted last. */
  sha256: string | null;
  /** Why its present content was rejected; null: it was not. */
  error: string | null;
}

/** Below this number a source may lose any of its documents. */
const fewDocuments = 4;
/** A source with fewer than this share of its documents is damaged, or has to stay so for a day. */
const leastShare = 0.5;
const confirmedAfterMs = 24 * 3_600_000;

const firstRetryMs = 30_000;

/** The time of a rolling change, in which some processes have the former settings. */
const droppedAfterMs = 10 * 60_000;

export function blankVexSource(origin: string): VexSourceState {
  return {
    origin,
    lists: [],
    documents: 0,
    checked_at: null,
    error: null,
    failed_at: null,
    failures: 0,
    next_at: new Date(0),
    shrunk: null,
  };
}

/**
 * A source that lost more than half of its documents is refused, because a truncated list would withdraw decisions; it is
 * believed once it has had as few for a day.
 *
 * @returns why it is refused (null: it is not), and what to remember
 */
export function checkSize(
  stored: Pick<VexSourceState, 'documents' | 'shrunk'>,
  listed: number,
  now: Date,
): { error: string | null; shrunk: VexSourceState['shrunk'] } {
  if (stored.documents < fewDocuments || listed >= stored.documents * leastShare)
    return { error: null, shrunk: null };
  const since = stored.shrunk?.documents === listed ? stored.shrunk.since : now;
  if (now.getTime() - since.getTime() >= confirmedAfterMs) return { error: null, shrunk: null };
  return {
    error: `it lists ${listed} documents, and ${stored.documents} are loaded; it is believed once it has listed as few for a day`,
    shrunk: { documents: listed, since },
  };
}

/** When a source is polled next. */
export function nextPoll(failures: number, intervalMs: number, now: Date): Date {
  const wait = failures === 0 ? intervalMs : firstRetryMs * 2 ** (failures - 1);
  return new Date(now.getTime() + Math.min(intervalMs, wait));
}

/** Whether no process has had the source configured for longer than a rolling change takes. */
export function isDropped({ unwatched_since }: VexSourceState, now: Date): boolean {
  return !!unwatched_since && now.getTime() - unwatched_since.getTime() >= droppedAfterMs;
}
