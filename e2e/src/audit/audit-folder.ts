import { waitForScan, type ApiClient, type SbomDetail } from '@bomtrail/api-client';
import { readAccepted } from './accepted';
import { judge, type Verdict } from './judge';
import { lockFileSbom } from './lock-file-sbom';

/** What the product says of the components of an SBOM. */
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
  return auditSbom(client, { name: `Dependencies of ${folder}`, file }, withinMs);
}

/** The same for an SBOM, such as that of an image. */
export async function auditSbom(
  client: ApiClient,
  { name, file }: { name: string; file: Buffer },
  withinMs: number,
): Promise<Audit> {
  const { id: project_id } = await client.createProject({ name });
  const { id } = await client.upload({ project_id, file });
  const scan = await waitForScan(client, id, withinMs);
  const rows = await client.allActive({ project_id });
  return { verdict: judge(rows, readAccepted()), scan };
}
