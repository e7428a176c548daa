import type { ApiClient } from '@bomtrail/api-client';

/**
 * Says that the newest SBOM of a service is not scanned: lists are without it then, and an empty one means nothing.
 *
 * @returns null if it is scanned, or no service is meant
 */
export async function unscannedSbom(
  api: Pick<ApiClient, 'history'>,
  { project_id, service_id }: { project_id?: string; service_id?: string },
): Promise<string | null> {
  if (project_id === undefined || service_id === undefined) return null;
  const [newest] = (await api.history(project_id, { service_id, per_page: 1 })).items;
  if (!newest || newest.scan_status === 'scanned') return null;
  return newest.scan_status === 'failed'
    ? `the scan of its newest SBOM ${newest.id} failed: upload it again`
    : `its newest SBOM is not scanned: bomtrail status ${newest.id} --wait`;
}
