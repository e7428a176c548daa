import { waitForScan, type ApiClient, type SbomDetail } from '@bomtrail/api-client';
import { readAccepted } from './accepted';
import { judge, type Verdict } from './judge';
import { lockFileSbom } from './lock-file-sbom';

/** What the product says of the dependencies of a folder. */
export interface Audit {
  verdict: Verdict;
  /** How much was judged, and on which advisories. */
  scan: SbomDetail;
}

/**
 * Uploads the SBOM of a folder's lock file into a new project and judges what is found in it.
 *
 * @param withinMs how long its scan may take, the first load of the advisories included
 * @throws Error when the scan failed or took longer
 */
export async function auditFolder(
  client: ApiClient,
  folder: string,
  withinMs: number,
): Promise<Audit> {
  const file = await lockFileSbom(folder);
  const { id: project_id } = await client.createProject({ name: `Dependencies of ${folder}` });
  const { id } = await client.upload({ project_id, file });
  const scan = await waitForScan(client, id, withinMs);
  const rows = await client.allActive({ project_id });
  return { verdict: judge(rows, readAccepted()), scan };
}
