import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { saveAnswer } from '../../api/download';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import type { DecisionsSearch } from './decisions-search';

/** The most decisions on paper, some thirty pages; the CSV file has all. */
export const mostPrinted = 1_000;
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
      const rows = [...items];
      for (let next = 2; rows.length < Math.min(total, mostPrinted); next += 1) {
        const more = (await page(next)).items;
        if (more.length === 0) break;
        rows.push(...more);
      }
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
