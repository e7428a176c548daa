import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { filtersOf, queryOf, type FindingsSearch } from './findings-search';
import { placeOf, windowSize, windowsOf } from './windows';

export type Finding = Schemas['TrackedVulnerability'];
export type FindingDetail = Schemas['TrackedVulnerabilityDetail'];
type Query = ReturnType<typeof queryOf>;

/** Key of everything that a decision changes. */
export const vulnerabilitiesKey = ['vulnerabilities'] as const;

function windowOf(query: Query, page: number) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'list', query, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/vulnerabilities', {
          params: { query: { ...query, page, per_page: windowSize } },
          signal,
        }),
      ),
    placeholderData: page === 1 ? keepPreviousData : undefined,
  });
}

export interface FindingRows {
  /** undefined until the first window has come. */
  total: number | undefined;
  advisoryData: Schemas['AdvisoryData'] | undefined;
  /** The row, or undefined while its window is on its way. */
  row: (index: number) => Finding | undefined;
  /** What is shown belongs to the view before: the answer is on its way. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
}

/** The rows of a view that are on the screen (`first` to `last`), fetched in windows. */
export function useFindingRows(search: FindingsSearch, shown: [number, number]): FindingRows {
  const query = queryOf(search);
  const first = useQuery(windowOf(query, 1));
  const windows = windowsOf(...shown);
  const pages = useQueries({ queries: windows.map((page) => windowOf(query, page)) });
  const byWindow = new Map(windows.map((window, at) => [window, pages[at]?.data?.items]));
  byWindow.set(1, first.data?.items);
  return {
    total: first.data?.total,
    advisoryData: first.data?.advisory_data,
    row: (index) => {
      const { window, at } = placeOf(index);
      return byWindow.get(window)?.[at];
    },
    isStale: first.isPlaceholderData,
    error: first.error ?? pages.find(({ error }) => error)?.error ?? null,
    retry: () => void first.refetch(),
  };
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
