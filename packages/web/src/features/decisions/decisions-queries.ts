import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { saveAnswer } from '../../api/download';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { mostPrinted } from '../report/report-parts';
import type { DecisionsSearch } from './decisions-search';

const perPage = 200;

/** The decisions of people and documents that are stored, newest first, with how many there are in all. */
export function decisionReport(search: DecisionsSearch) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'decisions', search],
    queryFn: async ({ signal }) => {
      const page = (number: number) => {
        const query = { ...search, page: number, per_page: perPage };
        return bodyOf(
          api.GET('/api/v1/vulnerabilities/acceptances', { params: { query }, signal }),
        );
      };
      const { items, total } = await page(1);
      const pages = Math.ceil(Math.min(total, mostPrinted) / perPage);
      const others = Array.from({ length: Math.max(pages - 1, 0) }, (_, index) => page(index + 2));
      const rows = [...items, ...(await Promise.all(others)).flatMap((one) => one.items)];
      return { items: rows, total, at: Date.now() };
    },
    placeholderData: keepPreviousData,
  });
}

/** The decisions for all projects: at most a page of the API, there are few. */
export function globalDecisions() {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'decisions', 'global'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/vulnerabilities/acceptances/global', {
          params: { query: { per_page: perPage } },
          signal,
        }),
      ),
  });
}

/** Saves all decisions of a view as a CSV file. @throws ApiError */
export function saveDecisions(search: DecisionsSearch): Promise<void> {
  const query = { ...search, format: 'csv' as const };
  return saveAnswer(
    api.GET('/api/v1/vulnerabilities/acceptances', { params: { query }, parseAs: 'blob' }),
    'decisions.csv',
  );
}
