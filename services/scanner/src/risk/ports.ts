import type { RiskScores } from '@bomtrail/messages';
import type { Held } from '../work/under-lease';
import type { RiskFeed, RiskFeedState } from './domain/risk-feed-state';

/** The state of both feeds, and the revision that both count in. */
export interface RiskStates extends Record<RiskFeed, RiskFeedState> {
  /** Grows with each load that changed a value; 0 before the first. */
  revision: number;
}

export interface RiskStateStore {
  read(): Promise<RiskStates>;
  /** Stores the state of a feed; with a later revision its changes come into force. */
  set(feed: RiskFeed, state: RiskFeedState, revision: number): Promise<void>;
  /** The loaded edition is no longer known, so that the next poll reads one. Nothing if another one is loaded. */
  forgetEdition(feed: RiskFeed, fingerprint: string | null): Promise<void>;
}

/** The values of one feed by CVE. */
export type RiskValues =
  | { feed: 'epss'; values: ReadonlyMap<string, NonNullable<RiskScores['epss']>> }
  | { feed: 'kev'; values: ReadonlyMap<string, NonNullable<RiskScores['kev']>> };

export interface RiskScoreStore {
  /**
   * Replaces all values of a feed and marks what changed with the revision. Idempotent: after an
   * interruption the next load of the same revision finishes it.
   *
   * @returns the number of CVEs with a change of this revision
   * @throws LeaseLost, or the reason of the signal when it is aborted
   */
  replace(values: RiskValues, revision: number, held: Pick<Held, 'assertHeld'>): Promise<number>;
  /** The scores of these CVEs; those without any are left out. */
  find(cves: readonly string[]): Promise<RiskScores[]>;
  /** A page of scores changed after one revision and up to another, by CVE, after `cve`. */
  listChanged(
    range: { after: number; upTo: number; cve: string },
    limit: number,
  ): Promise<RiskScores[]>;
}
