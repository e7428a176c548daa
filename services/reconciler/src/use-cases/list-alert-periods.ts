import type { AlertThreshold, AlertPeriodView } from '@bomtrail/messages';
import { episodeOf } from '../domain/episodes';
import type { DetailsStore } from '../store/details-store';
import type { RowDocument } from '../store/documents';
import type { EpisodeQuery, EpisodeStore, RowPlace } from '../store/episode-store';
import { episodesOf } from '../store/row-mapping';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';

export interface ListAlertPeriodsDeps extends LapseExpiredDeps {
  episodes: EpisodeStore;
  details: DetailsStore;
}

/**
 * What is listed at or above a threshold in these lines of a project, with the episode of each row, in
 * pages. No row is left out for what is not stored of it: then it is told with what is known.
 *
 * @param asked `after`: the `next` of the page before, of the same question
 */
export async function listAlertPeriods(
  deps: ListAlertPeriodsDeps,
  asked: EpisodeQuery & { after: string | null; limit: number },
): Promise<{ episodes: AlertPeriodView[]; next: string | null }> {
  const { after, limit, threshold } = asked;
  await lapseExpired(deps, asked.project_id);
  const window = { after: after === null ? null : placeOf(after), limit };
  const { items, next } = await deps.episodes.page(asked, window);
  const titles = await deps.details.titles(items.flatMap((row) => row.shown?.details ?? []));
  return {
    episodes: items.map((row) => episodeView(row, threshold, titles)),
    next: next && `${next.service_id}${separator}${next.id}`,
  };
}

const separator = '/';

/** @throws Error when it is no `next` of a page */
function placeOf(after: string): RowPlace {
  const [service_id, id, ...more] = after.split(separator);
  if (!service_id || !id || more.length > 0)
    throw new Error(`No page of episodes ends at ${after}.`);
  return { service_id, id };
}

function episodeView(
  row: RowDocument,
  threshold: AlertThreshold,
  titles: ReadonlyMap<string, string>,
): AlertPeriodView {
  const { shown } = row;
  const first_seen_at = row.first_seen_at?.toISOString() ?? null;
  const facts = { status: row.status, shown, first_seen_at, ...episodesOf(row) };
  const { episode, notified_by } = episodeOf(facts, threshold);
  const cve_id = shown?.cve_id ?? row.origin;
  return {
    ...{ vulnerability_id: row._id, service_id: row.service_id, episode, notified_by },
    severity: shown?.severity ?? 'unknown',
    cvss_score: shown?.cvss_score ?? null,
    cve_id,
    title: (shown && titles.get(shown.details)) ?? cve_id,
    package_name: shown?.package_name ?? row.package_key,
    package_version: shown?.package_version ?? '',
    ecosystem: shown?.ecosystem ?? '',
    fixed_versions: shown?.fixed_versions ?? [],
    first_seen_at: first_seen_at ?? episode,
  };
}
