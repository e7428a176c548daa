import type { FeedView } from '@bomtrail/messages';
import { isStarterLabel } from './merge-record';
import type { FeedState } from './feed-state';
import type { DataStatusLookup } from '../../queries/domain/coverage';

/** The fields of a feed part that its view is made of. */
export interface ViewedPart {
  label: string;
  covers: readonly string[];
  fingerprint: string | null;
  origin: string;
  records: number;
  rejected: number;
  error: string | null;
  failed_at: Date | null;
  checked_at: Date | null;
  as_of: Date | null;
  revision: number;
}

/**
 * Returns the state of each ecosystem, by name. If several parts cover it, the first by: feed
 * before starter set, loaded before not loaded, most current. The error is that of the
 * whole source if it could not be read, else of any part that failed.
 *
 * @param ecosystems the supported ecosystems; ecosystems of the parts are added
 * @param at `now` in ms since 1970
 */
export function feedViews(
  ecosystems: readonly string[],
  parts: readonly ViewedPart[],
  at: { dataStatus: DataStatusLookup; now: number; sourceError?: FeedState['source_error'] },
): FeedView[] {
  const names = new Set([...ecosystems, ...parts.flatMap(({ covers }) => covers)]);
  return [...names].sort(compareText).map((ecosystem) => {
    const covering = parts.filter(({ covers }) => covers.includes(ecosystem)).sort(byDataStatus);
    const [part] = covering;
    const asOf = part?.as_of;
    const failed = covering.find(({ error }) => error !== null);
    const error = at.sourceError?.message ?? failed?.error ?? null;
    const failedAt = at.sourceError?.at ?? failed?.failed_at;
    return {
      ecosystem,
      data_status: at.dataStatus(ecosystem),
      source: part ? withoutCredentials(part.origin) : null,
      last_success_at: part?.checked_at?.toISOString() ?? null,
      as_of: asOf?.toISOString() ?? null,
      age_seconds: asOf ? Math.max(0, Math.floor((at.now - asOf.getTime()) / 1000)) : null,
      records: part?.records ?? 0,
      rejected: part?.rejected ?? 0,
      revision: part?.revision || null,
      last_error:
        error === null
          ? null
          : { message: withoutCredentials(error), at: failedAt?.toISOString() ?? null },
    };
  });
}

function byDataStatus(a: ViewedPart, b: ViewedPart): number {
  const rank = (part: ViewedPart): number =>
    (isStarterLabel(part.label) ? 0 : 1) + (part.fingerprint === null ? 0 : 2);
  const time = (part: ViewedPart): number => part.as_of?.getTime() ?? 0;
  return rank(b) - rank(a) || time(b) - time(a) || compareText(a.label, b.label);
}

/** Removes user, password and query of every URL in a text. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, '$1')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
