import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { chosenSeverities, filtersOf, queryOf, type FindingsSearch } from './findings-search';
import { useWindows, type Windowed } from './windowed';
import { placeOf, windowSize, windowsOf } from './windows';

export type Finding = Schemas['TrackedVulnerability'];
export type FindingDetail = Schemas['TrackedVulnerabilityDetail'];
export type FindingRows = Windowed<Finding>;

/** Key of everything that a decision changes. */
export const vulnerabilitiesKey = ['vulnerabilities'] as const;

/** One window of the list of a view, without waiting for its total; `page` counts from 1. */
export function findingsWindow(search: FindingsSearch, page: number) {
  const query = { ...queryOf(search), page, per_page: windowSize, count: false };
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'list', query],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/vulnerabilities', { params: { query }, signal })),
    placeholderData: page === 1 ? keepPreviousData : undefined,
  });
}

/**
 * The rows of a view that are on the screen (`first` to `last`), fetched in windows. The total is that of the
 * summary, which the chips show, or of the windows if they have it.
 */
export function useFindingRows(search: FindingsSearch, shown: [number, number]): FindingRows {
  const rows = useWindows((page) => findingsWindow(search, page), shown);
  const isOpen = !search.status;
  const isUnknown = rows.length !== undefined && rows.total === undefined;
  const summary = useQuery({ ...summaryOf(search), enabled: isOpen });
  const counted = useQuery({ ...countOf(search), enabled: !isOpen && isUnknown });
  const chosen = chosenSeverities(search);
  const { data } = summary;
  const named = data && chosen.reduce((sum, one) => sum + data[one], 0);
  const ofSummary = chosen.length > 0 ? named : data?.total;
  const total = rows.total ?? (isOpen ? ofSummary : counted.data?.total);
  return { ...rows, total, length: total ?? rows.length };
}

/** The number of findings of a view in any state, which the summary does not count. */
export function countOf(search: FindingsSearch) {
  const query = { ...queryOf(search), page: 1, per_page: 1 };
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'count', query],
    queryFn: async ({ signal }) => {
      const { total, advisory_data } = await bodyOf(
        api.GET('/api/v1/vulnerabilities', { params: { query }, signal }),
      );
      return { total: total ?? 0, advisory_data };
    },
  });
}

/** All rows from `first` to `last`, those that were never on the screen included. */
export async function readFindings(
  queries: QueryClient,
  search: FindingsSearch,
  [first, last]: readonly [number, number],
): Promise<Finding[]> {
  const windows = windowsOf(first, last);
  const pages = await Promise.all(
    windows.map((page) => queries.fetchQuery(findingsWindow(search, page))),
  );
  const from = placeOf(first).at;
  return pages.flatMap(({ items }) => items).slice(from, from + last - first + 1);
}

/** The counts of what is open with the same filters, whatever the severity. */
export function summaryOf(search: FindingsSearch) {
  const query = filtersOf(search);
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'summary', query],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/vulnerabilities/summary', { params: { query }, signal })),
  });
}

export function findingDetail(id: string) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'detail', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/vulnerabilities/{vulnerability_id}', {
          params: { path: { vulnerability_id: id } },
          signal,
        }),
      ),
  });
}

/** All services that have the vulnerability, open or accepted. */
export function affectedBy(advisoryId: string) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'affected', advisoryId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/search/vulnerabilities/{advisory_id}', {
          params: { path: { advisory_id: advisoryId }, query: { per_page: 50 } },
          signal,
        }),
      ),
  });
}
