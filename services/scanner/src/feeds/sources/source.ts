/** An advisory file of a feed. */
export interface FeedFile {
  /** File name without folders, for logs. */
  name: string;
  /** @throws Error when the file is damaged */
  read(): Promise<Buffer>;
}

/** An edition of a part: all advisories of an ecosystem, or only the new ones. */
export interface Edition {
  /** Identifies the edition for its source. */
  fingerprint: string;
  /** Number of files. */
  count: number;
  /** The time that the data is current for. */
  asOf: Date;
  /** Null for a full edition; else the ids of the records that it contains. */
  increment: readonly string[] | null;
  /** Records modified later may be missing; null when the edition is complete. */
  completeUpTo: Date | null;
  files(): AsyncIterable<FeedFile>;
  close(): Promise<void>;
}

/** `unchanged`: the known edition; `absent`: the source does not have the part. */
export type Opened = Edition | 'unchanged' | 'absent';

/** The stored state of a part. */
export interface KnownEdition {
  /** Null when nothing of the same source is stored. */
  fingerprint: string | null;
  /** Whether unreadable records should be retried. */
  hasUnread: boolean;
  /** Returns the stored records of the given ids: modification time (ISO 8601) and parts. */
  findHeaders(
    ids: string[],
  ): Promise<ReadonlyMap<string, { modified: string; labels: readonly string[] }>>;
}

/** A part of a feed. */
export interface SourcePart {
  /** `npm`, or `starter/npm`. */
  label: string;
  /** Ecosystems that the part may contain. */
  covers: string[];
  /**
   * Opens the current edition, unless it is the known one.
   *
   * @throws Error with a readable reason
   */
  open(known: KnownEdition, signal: AbortSignal): Promise<Opened>;
}

/** A source of advisories in the layout of OSV's bulk export. */
export interface AdvisorySource {
  /** The configured source, without credentials. */
  origin: string;
  /** Whether unchanged data is as current as the poll; files are as current as their times. */
  isLive: boolean;
  /** @throws Error with a readable reason when the source cannot be read */
  list(signal: AbortSignal): Promise<SourcePart[]>;
}

/** Stamp that changes with the files of a source, and the time of the newest file in ms. */
export interface SourceStamp {
  stamp: string;
  newest: number;
}

/** The configured feed. */
export type FeedSource =
  | {
      kind: 'whole';
      source: AdvisorySource;
      /** Cheap enough to call every few seconds. */
      stamp(): Promise<SourceStamp>;
    }
  | {
      /** Loads ecosystems on demand. */
      kind: 'on demand';
      origin: string;
      only(ecosystems: readonly string[]): AdvisorySource;
    };

export function originOf(feed: FeedSource): string {
  return feed.kind === 'whole' ? feed.source.origin : feed.origin;
}

/** Larger records are rejected before they are unpacked. */
export const maxFileBytes = 12 * 1024 * 1024;

/** Larger nested zip files are rejected before they are unpacked. */
export const maxZipBytes = 2 * 1024 ** 3;
/** Unpacked size of all advisories of a zip file; several times the size of OSV's export. */
export const maxUnpackedBytes = 16 * 1024 ** 3;
