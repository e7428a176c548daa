import type { ApiClient } from '@bomtrail/api-client';

type Api = Pick<ApiClient, 'history' | 'listServices'>;

/** As many SBOMs of a project as are searched for one of the project itself. */
const searched = 200;

/**
 * Says which newest SBOMs of a service, or of a whole project, are not scanned, or that retention dropped the content of
 * that of a service: lists are then without them or without later advisories, and an empty one means nothing.
 *
 * @returns null if all are scanned and retained, or no project is meant
 */
export async function unscannedSbom(
  api: Api,
  { project_id, service_id }: { project_id?: string; service_id?: string },
): Promise<string | null> {
  if (project_id === undefined) return null;
  if (service_id === undefined) return unscannedOfProject(api, project_id);
  const [newest] = (await api.history(project_id, { service_id, per_page: 1 })).items;
  if (newest?.retained === false)
    return `retention dropped the content of its newest SBOM ${newest.id}: upload it again`;
  if (!newest || newest.scan_status === 'scanned') return null;
  return newest.scan_status === 'failed'
    ? `the scan of its newest SBOM ${newest.id} failed: upload it again`
    : `its newest SBOM is not scanned: bomtrail status ${newest.id} --wait`;
}

async function unscannedOfProject(api: Api, project_id: string): Promise<string | null> {
  const { items } = await api.history(project_id, { per_page: searched });
  const ofProject = items.find((one) => one.service_id === null);
  const newest = (await api.listServices(project_id)).flatMap((one) =>
    one.latest_sbom ? [{ name: one.name, scan_status: one.latest_sbom.scan_status }] : [],
  );
  if (ofProject) newest.push({ name: 'the project', scan_status: ofProject.scan_status });
  // A server of before says nothing of it.
  const unscanned = newest.filter(({ scan_status = 'scanned' }) => scan_status !== 'scanned');
  const [first] = unscanned;
  if (!first) return null;
  const others = unscanned.length > 1 ? `, and ${unscanned.length - 1} more,` : '';
  return `the newest SBOM of ${first.name}${others} is not scanned (${first.scan_status})`;
}
