import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { saveAnswer } from '../../api/download';
import { countOf, readFindings, vulnerabilitiesKey } from '../findings/findings-queries';
import { queryOf, type FindingsSearch } from '../findings/findings-search';
import { mostPrinted } from './report-parts';

/** The findings of a view as one list, with how many there are in all. */
export function reportOf(queries: QueryClient, search: FindingsSearch) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'report', queryOf(search)],
    queryFn: async () => {
      const first = await queries.fetchQuery(countOf(search));
      const last = Math.min(first.total, mostPrinted) - 1;
      const items = last < 0 ? [] : await readFindings(queries, search, [0, last]);
      return { items, total: first.total, advisoryData: first.advisory_data, at: Date.now() };
    },
  });
}

/** Saves all findings of a view as a CSV file. @throws ApiError */
export function saveAsCsv(search: FindingsSearch): Promise<void> {
  const query = { ...queryOf(search), format: 'csv' as const };
  return saveAnswer(
    api.GET('/api/v1/vulnerabilities', { params: { query }, parseAs: 'blob' }),
    'findings.csv',
  );
}
