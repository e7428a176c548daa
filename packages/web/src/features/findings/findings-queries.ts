import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { filtersOf, queryOf, type FindingsSearch } from './findings-search';
import { placeOf, windowSize, windowsOf } from './windows';

export type Finding = Schemas['TrackedVulnerability'];
export type FindingDetail = Schemas['TrackedVulnerabilityDetail'];

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

/** The findings of services that have the vulnerability, open or accepted: one for each package with it. */
export function affectedBy(advisoryId: string, perPage = 50) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'affected', advisoryId, perPage],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/search/vulnerabilities/{advisory_id}', {
          params: { path: { advisory_id: advisoryId }, query: { per_page: perPage } },
          signal,
        }),
      ),
  });
}
