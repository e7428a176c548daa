import type { VexSourceDocument, VexSourceState } from './domain/vex-source-state';

/** One list of documents in a source, with what identifies its content; null: unknown. */
export interface VexList {
  /** Unique in the source. */
  name: string;
  fingerprint: string | null;
  /** `unchanged`: the list is the known one. */
  entries: readonly VexEntry[] | 'unchanged';
}

/** A document of a list. */
export interface VexEntry {
  /** Where it is; unique in the source. */
  key: string;
  /** Changes with the document; null: unknown, it is asked for again. */
  stamp: string | null;
}

/** A document. Of one that is `too_large` the content is not kept. */
export interface ReadDocument {
  content: Buffer | 'too_large';
  fingerprint: string | null;
}

/** A watched source of VEX documents. */
export interface VexSource {
  /** Folder or address, without credentials. */
  origin: string;
  /** It costs little to look at: a folder. */
  isLocal: boolean;
  /**
   * Reads the lists.
   *
   * @param known the fingerprints of the lists that were read before, by name
   * @throws Error with a readable reason: nothing is known about the documents then
   */
  lists(known: ReadonlyMap<string, string>, signal: AbortSignal): Promise<VexList[]>;
  /**
   * Reads a document unless it is the known one.
   *
   * @throws Error with a readable reason
   */
  read(
    key: string,
    known: string | null,
    signal: AbortSignal,
  ): Promise<ReadDocument | 'unchanged' | 'absent'>;
}

export interface VexSourceStore {
  states(): Promise<VexSourceState[]>;
  save(state: VexSourceState): Promise<void>;
  documents(origin: string): Promise<VexSourceDocument[]>;
  document(place: Pick<VexSourceDocument, 'origin' | 'key'>): Promise<VexSourceDocument | null>;
  put(document: VexSourceDocument): Promise<void>;
  /** Other documents with this id and other content were replaced: they are imported anew once it is withdrawn. */
  replaced(by: VexSourceDocument, error: string): Promise<void>;
  /** Whether another document is stored under this id. */
  isUsed(vexId: string, except: Pick<VexSourceDocument, 'origin' | 'key'>): Promise<boolean>;
  remove(document: VexSourceDocument): Promise<void>;
  removeState(origin: string): Promise<void>;
  /** The first rejected documents of a source. */
  rejected(origin: string, limit: number): Promise<{ total: number; first: VexSourceDocument[] }>;
}
