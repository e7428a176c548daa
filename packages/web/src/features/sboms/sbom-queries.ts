import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { saveAnswer } from '../../api/download';

/** Reads an SBOM. The operation has another JSON, CycloneDX, which is not asked for here. */
export function readSbom(
  params: { path: { sbom_id: string }; query?: { wait: number } },
  signal?: AbortSignal,
): Promise<Schemas['SBOMDetailResponse']> {
  const answer = api.GET('/api/v1/sboms/{sbom_id}', { params, ...(signal && { signal }) });
  return bodyOf(answer) as Promise<Schemas['SBOMDetailResponse']>;
}

/** An SBOM with its dependencies and findings; asked again while its scan is under way. */
export function sbomDetail(sbomId: string) {
  return queryOptions({
    queryKey: ['sboms', sbomId],
    queryFn: ({ signal }) => readSbom({ path: { sbom_id: sbomId } }, signal),
    refetchInterval: ({ state }) => (state.data?.scan_status === 'pending' ? 2_000 : false),
  });
}

export function undetermined(sbomId: string) {
  return queryOptions({
    queryKey: ['sboms', sbomId, 'coverage'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/sboms/{sbom_id}/coverage', {
          params: { path: { sbom_id: sbomId }, query: { per_page: 200 } },
          signal,
        }),
      ),
  });
}

export function sbomDiff(sbomId: string, otherId: string) {
  return queryOptions({
    queryKey: ['sboms', sbomId, 'diff', otherId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/sboms/{sbom_id}/diff/{other_id}', {
          params: { path: { sbom_id: sbomId, other_id: otherId } },
          signal,
        }),
      ),
  });
}

/** Saves the document as it was uploaded. @throws ApiError */
export function saveSbom(sbomId: string): Promise<void> {
  const params = { path: { sbom_id: sbomId } };
  return saveAnswer(
    api.GET('/api/v1/sboms/{sbom_id}/download', { params, parseAs: 'blob' }),
    `${sbomId}.json`,
  );
}

/** Saves one of the two lists of an SBOM as a CSV file. @throws ApiError */
export function saveSbomList(
  sbomId: string,
  list: 'vulnerabilities' | 'dependencies',
): Promise<void> {
  const params = { path: { sbom_id: sbomId }, query: { format: 'csv' as const, list } };
  return saveAnswer(api.GET('/api/v1/sboms/{sbom_id}', { params, parseAs: 'blob' }), `${list}.csv`);
}

/** Saves the components with their vulnerabilities and decisions as CycloneDX. @throws ApiError */
export function saveDisclosure(sbomId: string): Promise<void> {
  const params = { path: { sbom_id: sbomId }, query: { format: 'cyclonedx' as const } };
  return saveAnswer(
    api.GET('/api/v1/sboms/{sbom_id}', { params, parseAs: 'blob' }),
    `${sbomId}.vdr.cdx.json`,
  );
}
