import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

function graphOf(sbomId: string) {
  const params = { path: { sbom_id: sbomId }, query: { per_page: 1 } };
  return queryOptions({
    queryKey: ['sboms', sbomId, 'has-graph'],
    queryFn: async ({ signal }) => {
      const graph = api.GET('/api/v1/sboms/{sbom_id}/dependencies/graph', { params, signal });
      return (await bodyOf(graph)).has_graph;
    },
    retry: false,
    staleTime: Infinity,
  });
}

/**
 * Whether the document says what depends on what; undefined: not read yet, null: it cannot be read. Without a graph all
 * components count as direct, which says nothing: so ask only about what is direct.
 */
export function useHasGraph(sbomId: string, enabled: boolean): boolean | null | undefined {
  const { data, isError } = useQuery({ ...graphOf(sbomId), enabled });
  return data ?? (isError ? null : undefined);
}
