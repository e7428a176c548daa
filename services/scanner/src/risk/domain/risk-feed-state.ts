import { isDatedAhead } from '../../domain/dated-ahead';

/** The feeds of exploitation data: FIRST's EPSS and CISA's KEV. */
export const riskFeeds = ['epss', 'kev'] as const;
export type RiskFeed = (typeof riskFeeds)[number];

/** State of one feed after its last poll. */
export interface RiskFeedState {
  /** The source that the values are from, without credentials; null before the first load. */
  origin: string | null;
  /** Identifies the loaded edition. */
  fingerprint: string | null;
  /** The date that the values are of. */
  as_of: Date | null;
  /** When this edition was loaded; absent before the first load. */
  loaded_at?: Date;
  records: number;
  /** The revision of the last change, 0 for none. */
  revision: number;
  /** Time of the last successful poll. */
  checked_at: Date | null;
  /** Error of the last poll, null for none, and when it was. */
  error: string | null;
  failed_at: Date | null;
}

/** A feed that was never loaded. */
export const blankRiskFeed: RiskFeedState = {
  origin: null,
  fingerprint: null,
  as_of: null,
  records: 0,
  revision: 0,
  checked_at: null,
  error: null,
  failed_at: null,
};

/** The age of the values in ms; without a date as if they were of when they were loaded. Null: there are none. */
export function ageOf(
  { as_of, loaded_at }: Pick<RiskFeedState, 'as_of' | 'loaded_at'>,
  now: number,
): number | null {
  const since = as_of ?? loaded_at;
  return since ? Math.max(0, now - since.getTime()) : null;
}

/** Both feeds only grow: a file with fewer than this share of the stored records is damaged. */
const leastShare = 0.9;

/**
 * Returns why an edition must not replace the loaded one, null when it may. Editions of another
 * source are not compared. A date in the future is wrong: it would look current, and keep out every
 * edition until then.
 *
 * @param edition `origin` of its source, its date and number of records
 * @param now in ms since 1970
 */
export function editionError(
  stored: RiskFeedState,
  edition: { origin: string; asOf: Date | null; records: number },
  now: number,
): string | null {
  const isFuture = (at: Date): boolean => isDatedAhead(at.getTime(), now);
  if (edition.asOf && isFuture(edition.asOf))
    return `it is of ${dayOf(edition.asOf)}, which is in the future (today is ${dayOf(new Date(now))})`;
  if (stored.origin !== edition.origin) return null;
  if (edition.records < stored.records * leastShare)
    return `it has ${edition.records} records, and the loaded one ${stored.records}`;
  const loaded = stored.as_of && !isFuture(stored.as_of) ? stored.as_of : null;
  if (loaded && edition.asOf && edition.asOf < loaded)
    return `it is of ${dayOf(edition.asOf)}, older than the loaded one of ${dayOf(loaded)}`;
  return null;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
