/** One advisory file of a feed. */
export interface FeedFile {
  /** For the log: the file's name without folders. */
  name: string;
  /** @throws when the file is damaged */
  read(): Promise<Buffer>;
}

/** One edition of a part of a feed: the advisories of an ecosystem, or those of them that are new. */
export interface Edition {
  /** By which the source knows the edition again. */
  fingerprint: string;
  /** Number of files. */
  count: number;
  /** The data are as current as this. */
  asOf: Date;
  /** Null when the edition holds everything; else the ids of the records that it holds beside those held before. */
  increment: readonly string[] | null;
  /** A record that was modified later may be missing though the source has it; null when none may. */
  completeUpTo: Date | null;
  files(): AsyncIterable<FeedFile>;
  close(): Promise<void>;
}

/** `unchanged`: it is the known edition; `absent`: the source has no such part. */
export type Opened = Edition | 'unchanged' | 'absent';

/** What is held of a part of a feed. */
export interface KnownEdition {
  /** Null when nothing of the same source is held. */
  fingerprint: string | null;
  /** Whether some records could not be read and are worth another try. */
  hasUnread: boolean;
  /** What is held of the given ids: when it was modified (ISO 8601), and by which parts it is held. */
  findHeaders(
    ids: string[],
  ): Promise<ReadonlyMap<string, { modified: string; labels: readonly string[] }>>;
}

/** A part of a feed, as a look at its source found it. */
export interface SourcePart {
  /** `npm`, or `starter/npm`. */
  label: string;
  /** Ecosystems whose advisories the part may bring. */
  covers: string[];
  /**
   * Opens the current edition, unless it is the one with the known fingerprint.
   *
   * @throws Error with a reason for people when it cannot be read
   */
  open(known: KnownEdition, signal: AbortSignal): Promise<Opened>;
}

/** Where advisories come from, in the layout of OSV's bulk export. */
export interface AdvisorySource {
  /** The source as it is configured, without credentials. */
  origin: string;
  /** Whether an edition that a look finds unchanged is as current as the look; files are as current as they are. */
  isLive: boolean;
  /** @throws Error with a reason for people when the source cannot be read at all */
  list(signal: AbortSignal): Promise<SourcePart[]>;
}

/** Something that changes whenever the files of a source do, and the time of the newest of them in ms. */
export interface SourceStamp {
  stamp: string;
  newest: number;
}

/** The source behind the starter set. */
export type FeedSource =
  | {
      kind: 'whole';
      source: AdvisorySource;
      /** Cheap enough to be asked every few seconds. */
      stamp(): Promise<SourceStamp>;
    }
  | {
      /** Has more ecosystems than anybody needs: only those that are asked for are loaded. */
      kind: 'on demand';
      origin: string;
      only(ecosystems: readonly string[]): AdvisorySource;
    };

export function originOf(feed: FeedSource): string {
  return feed.kind === 'whole' ? feed.source.origin : feed.origin;
}

/** No advisory is larger; a record that claims more is refused before it is unpacked. */
export const maxFileBytes = 12 * 1024 * 1024;

/** No export of OSV comes near it; a zip inside a zip that claims more is refused before it is unpacked. */
export const maxZipBytes = 2 * 1024 ** 3;
/** All advisories of a zip file together, unpacked: several times what OSV has in all ecosystems. */
export const maxUnpackedBytes = 16 * 1024 ** 3;
