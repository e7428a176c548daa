import type { ApiClient, Summary } from '@bomtrail/api-client';
import { expect } from 'expect';
import { expectedBriefs, expectedVulnerabilities, type ModelVulnerability } from './model-project';
import type { ModelProject } from './model-facts';

/**
 * Reads everything that the API has about a project and compares it with the model.
 *
 * @returns the vulnerabilities by id
 * @throws the differences; they may be temporary
 */
export async function compareProject(
  client: ApiClient,
  projectId: string,
  model: ModelProject,
): Promise<Map<string, ModelVulnerability>> {
  const project_id = projectId;
  const page = await client.vulnerabilities({ project_id, per_page: 200 });
  const vulnerabilities = expectedVulnerabilities(model, Date.now());
  const actual = page.items.map((vulnerability) => ({
    service: vulnerability.service_name,
    package_name: vulnerability.package_name,
    names: [...vulnerability.aliases].sort(),
    status: vulnerability.status,
    decided_by: vulnerability.decision?.source ?? null,
    severity: vulnerability.severity,
    package_version: vulnerability.package_version,
    package_versions: vulnerability.package_versions,
    first_seen_at: vulnerability.first_seen_at,
    last_seen_at: vulnerability.last_seen_at,
    sbom_id: vulnerability.sbom_id,
  }));
  expect(sorted(actual)).toEqual(sorted(vulnerabilities));
  expect(page.total).toEqual(vulnerabilities.length);

  const byId = new Map<string, ModelVulnerability>();
  page.items.forEach(({ id }, index) => byId.set(id, actual[index] as ModelVulnerability));
  await compareActive(client, project_id, { vulnerabilities, byId });
  await compareSboms(client, model, { vulnerabilities, byId });
  const acceptances = await client.listAcceptances(project_id, { per_page: 200 });
  const manual = acceptances.items.filter(({ source }) => source === 'manual');
  expect(manual.map(({ id }) => id).sort()).toEqual(model.acceptances.map(({ id }) => id).sort());
  return byId;
}

interface Compared {
  vulnerabilities: readonly ModelVulnerability[];
  byId: ReadonlyMap<string, ModelVulnerability>;
}

async function compareActive(
  client: ApiClient,
  project_id: string,
  { vulnerabilities, byId }: Compared,
): Promise<void> {
  const open = vulnerabilities.filter(({ status }) => status === 'open');
  const [active, summary, services] = await Promise.all([
    client.listActive({ project_id, per_page: 200 }),
    client.summary({ project_id }),
    client.listServices(project_id),
  ]);
  const isOpen = (id: string): boolean => byId.get(id)?.status === 'open';
  expect(active.items.map(({ id }) => id).sort()).toEqual([...byId.keys()].filter(isOpen).sort());
  expect([active.total, sumsOf(summary)]).toEqual([open.length, counted(open)]);
  for (const { id, name } of services) {
    const own = open.filter(({ service }) => service === name);
    const query = { project_id, service_id: id };
    const [list, sums] = await Promise.all([client.listActive(query), client.summary(query)]);
    expect([name, list.total, sumsOf(sums)]).toEqual([name, own.length, counted(own)]);
  }
}

function sumsOf({ advisory_data: _data, ...sums }: Summary): Record<string, number> {
  return sums;
}

function counted(open: readonly ModelVulnerability[]): Record<string, number> {
  const count = (of: string): number => open.filter(({ severity }) => severity === of).length;
  return {
    critical: count('critical'),
    high: 0,
    medium: count('medium'),
    low: 0,
    none: 0,
    unknown: 0,
    total: open.length,
  };
}

async function compareSboms(
  client: ApiClient,
  model: ModelProject,
  { vulnerabilities, byId }: Compared,
): Promise<void> {
  for (const sbom of model.sboms) {
    const detail = await client.sbom(sbom.id);
    expect(detail.scan_status).toEqual('scanned');
    const ids = detail.vulnerabilities.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const actual = detail.vulnerabilities.flatMap((one) =>
      (one.occurrences ?? [one]).map(({ package_version, advisory_ids }) => ({
        package: `${one.package_name}@${package_version}`,
        advisory_ids: [...advisory_ids].sort(),
        status: one.status as string,
        names: byId.get(one.id)?.names ?? [],
      })),
    );
    expect(sorted(actual)).toEqual(sorted(expectedBriefs(model, sbom, vulnerabilities)));
  }
}

function sorted<Element>(list: readonly Element[]): Element[] {
  return [...list].sort((a, b) => (keyed(a) < keyed(b) ? -1 : 1));
}

/** The same text for the same fields in any order. */
function keyed(value: unknown): string {
  return JSON.stringify(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
