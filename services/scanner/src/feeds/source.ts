/** One advisory file of a feed. */
export interface FeedFile {
  /** For the log: the file's name without folders. */
  name: string;
  /** @throws when the file is damaged */
  read(): Promise<Buffer>;
}

/** One edition of a part of a feed: the advisories of an ecosystem. */
export interface Edition {
  fingerprint: string;
  /** Number of files. */
  count: number;
  files(): AsyncIterable<FeedFile>;
  close(): Promise<void>;
}

/** `unchanged`: it is the known edition; `absent`: the source has no such part. */
export type Opened = Edition | 'unchanged' | 'absent';

/** A part of a feed, as a look at its source found it. */
export interface SourcePart {
  /** `npm`, or `starter/npm`. */
  label: string;
  /** Ecosystems whose advisories the part brings. */
  covers: string[];
  /**
   * Opens the current edition, unless it is the one with the given fingerprint.
   *
   * @throws Error with a reason for people when it cannot be read
   */
  open(known: string | null, signal: AbortSignal): Promise<Opened>;
}

/** Where advisories come from, in the layout of OSV's bulk export. */
export interface AdvisorySource {
  /** The source as it is configured. */
  origin: string;
  /** @throws Error with a reason for people when the source cannot be read at all */
  list(signal: AbortSignal): Promise<SourcePart[]>;
}

/** No advisory is larger; a record that claims more is refused before it is unpacked. */
export const maxFileBytes = 12 * 1024 * 1024;
