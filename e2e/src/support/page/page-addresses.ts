import type { ApiClient } from '@bomtrail/api-client';
import type { PageData } from './page-data';

/** Of `parse-core-0`, known to be exploited, in two services. */
export const exploited = 'CVE-2026-10000';

/** One address of each view, hostile contents included. */
export async function pageAddresses(
  { client }: { client: ApiClient },
  data: PageData,
): Promise<Record<string, string>> {
  const services = await client.listServices(data.shop.id);
  const checkout = services.find(({ name }) => name === 'checkout');
  const found = await client.vulnerabilities({ cve_id: exploited });
  const bad = await client.vulnerabilities({ project_id: data.hostile.id });
  const history = await client.history(data.shop.id);
  const [newer, older] = history.items.filter((one) => one.service_name === 'checkout');
  const proxy = history.items.find((one) => one.service_name === 'image-proxy');
  const [first] = found.items;
  const [hostile] = bad.items;
  if (!checkout || !first || !hostile || !newer || !older || !proxy)
    throw new Error('The data set lacks what the views show.');
  return {
    overview: '/',
    findings: '/findings',
    finding: `/findings?finding=${first.id}`,
    nothing: '/findings?cve_id=CVE-1999-1',
    groups: '/findings?group=package',
    report: '/findings/report?severity=critical',
    decisions: `/decisions?project_id=${data.hostile.id}`,
    plan: '/plan',
    projects: '/projects',
    project: `/projects/${data.shop.slug}`,
    service: `/projects/${data.shop.slug}/services/${checkout.id}`,
    sbom: `/sboms/${first.sbom_id}`,
    dependencies: `/sboms/${first.sbom_id}?tab=dependencies`,
    tree: `/sboms/${proxy.id}?tab=dependencies&view=tree`,
    diff: `/sboms/${older.id}/diff/${newer.id}`,
    coverage: `/sboms/${first.sbom_id}?tab=coverage`,
    licences: `/sboms/${first.sbom_id}?tab=licences`,
    quality: `/sboms/${first.sbom_id}?tab=quality`,
    'who-ships': '/search?q=license:unknown',
    'vex-document': `/vex/${data.vexId}`,
    imports: '/settings/imports',
    import: `/imports/${data.importId}`,
    rules: `/projects/${data.billing.slug}`,
    affected: `/search?q=${exploited}`,
    unknown: '/search?q=CVE-1999-0001',
    alerts: '/alerts',
    feeds: '/settings/feeds',
    health: '/settings/health',
    retention: '/settings/retention',
    keys: '/settings/keys',
    components: '/settings/components',
    audit: '/settings/audit',
    'dead-letters': '/settings/dead-letters',
    'hostile-project': `/projects/${data.hostile.slug}`,
    'hostile-sbom': `/sboms/${hostile.sbom_id}`,
    'hostile-tree': `/sboms/${hostile.sbom_id}?tab=dependencies&view=tree`,
    'hostile-licences': `/sboms/${hostile.sbom_id}?tab=licences`,
    'hostile-import': `/imports/${data.hostileImportId}`,
    'hostile-finding': `/findings?project_id=${data.hostile.id}&finding=${hostile.id}`,
  };
}
