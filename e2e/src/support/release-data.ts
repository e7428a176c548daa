import path from 'node:path';
import type { Acceptance, ApiClient } from '@bomtrail/api-client';
import { repositoryRoot } from './real-data';

/** Where a release's data are kept. */
export function releaseFolder(version: string): string {
  return path.join(repositoryRoot, 'e2e', 'fixtures', `release-${version}`);
}

/** What a client sees of a project's data, without what differs from run to run. */
export interface Seen {
  services: string[];
  versions: (string | null)[];
  /** `service cve package version` of each open row. */
  open: string[];
  acceptances: Pick<Acceptance, 'reason'>[];
  total: number;
}

export async function readProject(client: ApiClient, projectId: string): Promise<Seen> {
  const [services, history, active, acceptances, summary] = await Promise.all([
    client.listServices(projectId),
    client.history(projectId),
    client.allActive({ project_id: projectId }),
    client.listAcceptances(projectId),
    client.summary({ project_id: projectId }),
  ]);
  return {
    services: services.map(({ name }) => name),
    versions: history.items.map(({ version }) => version),
    open: active
      .map((row) => `${row.service_name} ${row.cve_id} ${row.package_name} ${row.package_version}`)
      .sort(),
    acceptances: acceptances.items.map(({ reason }) => ({ reason })),
    total: summary.total,
  };
}
