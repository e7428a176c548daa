import type { RiskRevisions } from '@bomtrail/messages';
import type { RatedValues, RiskFacts } from './domain/risk-values';

/** Details whose risk values can be computed. */
export interface RatedDetails extends RiskFacts {
  id: string;
  /** The ids of the alias group, in upper case. */
  alias_keys: string[];
}

/** The risk values of vulnerability details, and how far the scanner's changes are applied. */
export interface RiskStore {
  /** The scanner's revision that the stored values reflect; 0 at first. */
  revision(): Promise<number>;
  setRevision(revision: number): Promise<void>;
  /** The details that name one of these CVEs. */
  naming(cves: readonly string[]): Promise<RatedDetails[]>;
  /** At most `limit` details that were stored since the last sweep. */
  pending(limit: number): Promise<RatedDetails[]>;
  /**
   * Stores values by details id; they are no longer pending. Writes no tracked vulnerability. Values
   * that alerts depend on count in `revisions` once they are stored.
   */
  write(values: ReadonlyMap<string, RatedValues>): Promise<void>;
  /** Counts in `revisions` what an interrupted `write` may have stored. */
  countInterrupted(): Promise<void>;
  /** What grows with the values that alerts depend on. */
  revisions(): Promise<RiskRevisions>;
  /** The values of these details, at most some seconds old; absent for unknown ids. */
  read(ids: Iterable<string>): Promise<Map<string, RatedValues>>;
  /** The same as stored now, for what was selected or ordered by them. */
  readStored(ids: Iterable<string>): Promise<Map<string, RatedValues>>;
}
