import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

/** Milliseconds between looks at an import that is running. */
const runningEveryMs = 5_000;

/** Imports, newest first. */
export function importsPage(page: number) {
  const query = { page, per_page: 25 };
  return queryOptions({
    queryKey: ['imports', 'list', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/imports', { params: { query }, signal })),
  });
}

/** What an import brought; asked again while it is running. */
export function importById(importId: string) {
  const path = { import_id: importId };
  return queryOptions({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/imports/{import_id}', { params: { path }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? runningEveryMs : false),
  });
}

/** What it brought to each service; `reportedAt`: of its last report, which may have brought more. */
export function importedServices(importId: string, page: number, reportedAt: string) {
  const params = { path: { import_id: importId }, query: { page, per_page: 50 } };
  return queryOptions({
    queryKey: ['imports', importId, 'services', page, reportedAt],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/imports/{import_id}/services', { params, signal })),
    placeholderData: keepPreviousData,
  });
}
