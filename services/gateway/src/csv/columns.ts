import { actorText } from '../access/actor-of';
import type { components } from '@bomtrail/api-contract';
import {
  severities,
  type BriefVulnerability,
  type ExportedView,
  type ServiceUsing,
} from '@bomtrail/messages';
import type { CsvColumn } from '@bomtrail/csv';
import type { FoundService } from '../search/found-service';

type Schemas = components['schemas'];

type Counted = { counts?: Schemas['SeverityCounts'] | null };

const countColumns: readonly CsvColumn<Counted>[] = severities.map((severity) => [
  severity,
  ({ counts }) => counts?.[severity],
]);

/** A vulnerability with the names of its project and service. */
export type NamedVulnerability = Omit<ExportedView, 'service_id'> & {
  project_name: string;
  service_id: string | null;
  service_name: string | null;
  /** Of the service, else of its project. */
  owner: string | null;
  due_at: string | null;
};

export const vulnerabilityColumns: readonly CsvColumn<NamedVulnerability>[] = [
  ['project_name', (one) => one.project_name],
  ['service_name', (one) => one.service_name],
  ['cve_id', (one) => one.cve_id],
  ['severity', (one) => one.severity],
  ['cvss_score', (one) => one.cvss_score],
  ['risk', (one) => one.risk],
  ['epss_score', (one) => one.epss_score],
  ['epss_percentile', (one) => one.epss_percentile],
  ['kev_date_added', (one) => one.kev?.date_added],
  ['kev_due_date', (one) => one.kev?.due_date],
  ['kev_ransomware', (one) => one.kev?.ransomware],
  ['title', (one) => one.title],
  ['package_name', (one) => one.package_name],
  ['package_version', (one) => one.package_version],
  ['package_versions', (one) => one.package_versions],
  ['fixed_versions', (one) => one.fixed_versions],
  ['purl', (one) => one.purl],
  ['ecosystem', (one) => one.ecosystem],
  ['is_direct', (one) => one.is_direct],
  ['status', (one) => one.status],
  ['first_seen_at', (one) => one.first_seen_at],
  ['detected_at', (one) => one.detected_at],
  ['last_seen_at', (one) => one.last_seen_at],
  ['published_at', (one) => one.published_at],
  ['modified_at', (one) => one.modified_at],
  ['aliases', (one) => one.aliases],
  ['advisory_ids', (one) => one.advisory_ids],
  ['cvss_vector', (one) => one.cvss_vector],
  ['id', (one) => one.id],
  ['project_id', (one) => one.project_id],
  ['service_id', (one) => one.service_id],
  ['sbom_id', (one) => one.sbom_id],
  ['owner', (one) => one.owner],
  ['due_at', (one) => one.due_at],
];

export const briefColumns: readonly CsvColumn<BriefVulnerability>[] = [
  ['cve_id', (one) => one.cve_id],
  ['severity', (one) => one.severity],
  ['cvss_score', (one) => one.cvss_score],
  ['risk', (one) => one.risk],
  ['epss_score', (one) => one.epss_score],
  ['epss_percentile', (one) => one.epss_percentile],
  ['kev_date_added', (one) => one.kev?.date_added],
  ['title', (one) => one.title],
  ['package_name', (one) => one.package_name],
  ['package_version', (one) => one.package_version],
  ['package_versions', (one) => one.package_versions],
  ['fixed_versions', (one) => one.fixed_versions],
  ['purl', (one) => one.purl],
  ['is_direct', (one) => one.is_direct],
  ['is_root', (one) => one.is_root],
  ['status', (one) => one.status],
  ['aliases', (one) => one.aliases],
  ['advisory_ids', (one) => one.advisory_ids],
  ['id', (one) => one.id],
];

export const dependencyColumns: readonly CsvColumn<Schemas['DependencyResponse']>[] = [
  ['name', (one) => one.name],
  ['version', (one) => one.version],
  ['purl', (one) => one.purl],
  ['type', (one) => one.type],
  ['license', (one) => one.license],
  ['is_direct', (one) => one.is_direct],
];

export const projectColumns: readonly CsvColumn<Schemas['ProjectResponse']>[] = [
  ['id', (one) => one.id],
  ['slug', (one) => one.slug],
  ['name', (one) => one.name],
  ['description', (one) => one.description],
  ['repo_url', (one) => one.repo_url],
  ['platform', (one) => one.platform],
  ['created_at', (one) => one.created_at],
  ['updated_at', (one) => one.updated_at],
  ['owner', (one) => one.owner],
  ['labels', (one) => one.labels?.join(',')],
];

export const serviceColumns: readonly CsvColumn<Schemas['ServiceResponse']>[] = [
  ['id', (one) => one.id],
  ['name', (one) => one.name],
  ['project_id', (one) => one.project_id],
  ['latest_sbom_id', (one) => one.latest_sbom?.id],
  ['latest_version', (one) => one.latest_sbom?.version],
  ['latest_upload_at', (one) => one.latest_sbom?.created_at],
  ...countColumns,
  ['owner', (one) => one.owner],
  ['labels', (one) => one.labels?.join(',')],
  ['latest_scan_status', (one) => one.latest_sbom?.scan_status],
  ['latest_retained', (one) => one.latest_sbom?.retained],
  ['latest_components', (one) => one.latest_sbom?.coverage?.components],
  ['latest_evaluated', (one) => one.latest_sbom?.coverage?.evaluated],
];

export const historyColumns: readonly CsvColumn<Schemas['ProjectSBOMHistoryItem']>[] = [
  ['id', (one) => one.id],
  ['version', (one) => one.version],
  ['format', (one) => one.format],
  ['dependency_count', (one) => one.dependency_count],
  ['created_at', (one) => one.created_at],
  ['service_id', (one) => one.service_id],
  ['service_name', (one) => one.service_name],
  ['scan_status', (one) => one.scan_status],
  ['uploaded_by', (one) => one.uploaded_by && actorText(one.uploaded_by)],
  ['commit', (one) => one.commit],
  ['build_url', (one) => one.build_url],
  ...countColumns,
  ['components', (one) => one.coverage?.components],
  ['evaluated', (one) => one.coverage?.evaluated],
  ['retained', (one) => one.retained],
];

export const acceptanceColumns: readonly CsvColumn<Schemas['RiskAcceptanceResponse']>[] = [
  ['id', (one) => one.id],
  ['cve_id', (one) => one.cve_id],
  ['package_name', (one) => one.package_name],
  ['project_name', (one) => one.project_name],
  ['service_name', (one) => one.service_name],
  ['project_id', (one) => one.project_id],
  ['service_id', (one) => one.service_id],
  ['vulnerability_id', (one) => one.vulnerability_id],
  ['reason', (one) => one.reason],
  ['created_by', (one) => one.created_by && actorText(one.created_by)],
  ['expires_at', (one) => one.expires_at],
  ['created_at', (one) => one.created_at],
  ['updated_at', (one) => one.updated_at],
  ['decision', (one) => one.decision],
  ['justification', (one) => one.justification],
  ['detail', (one) => one.detail],
  ['ticket_url', (one) => one.ticket_url],
  ['assignee', (one) => one.assignee],
  ['source', (one) => one.source],
  ['source_document', (one) => one.source_document?.id],
  ['service_names', (one) => one.service_names?.map((name) => name ?? '')],
  ['updated_by', (one) => one.updated_by && actorText(one.updated_by)],
  ['bulk_id', (one) => one.bulk_id],
];

/** A service that uses a package, with one of the packages found in it. */
export interface UsedPackage {
  service: Omit<FoundService<ServiceUsing>, 'packages'>;
  used: ServiceUsing['packages'][number];
}

export const usedPackageColumns: readonly CsvColumn<UsedPackage>[] = [
  ['project_name', ({ service }) => service.project_name],
  ['service_name', ({ service }) => service.service_name],
  ['version', ({ service }) => service.version],
  ['package_name', ({ used }) => used.name],
  ['package_version', ({ used }) => used.version],
  ['purl', ({ used }) => used.purl],
  ['ecosystem', ({ used }) => used.ecosystem],
  ['affected', ({ used }) => used.affected],
  ['project_id', ({ service }) => service.project_id],
  ['service_id', ({ service }) => service.service_id],
  ['sbom_id', ({ service }) => service.sbom_id],
];

export const affectedColumns: readonly CsvColumn<NamedVulnerability & { former_id: boolean }>[] = [
  ...vulnerabilityColumns,
  ['former_id', (one) => one.former_id],
];
