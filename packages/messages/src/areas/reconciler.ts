import { z } from 'zod';
import { rpc } from '../define';
import { digest, id, page, type PageOf, type Severity } from './fields';
import type { VulnerabilityDetails } from './scanner';

export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;
export const vulnerabilitySorts = [
  'cvss_score',
  'severity',
  'cve_id',
  'package_name',
  'first_seen_at',
  'published_at',
  'epss_score',
] as const;

export type VulnerabilityStatus = 'open' | 'fixed' | 'accepted';

/** A tracked vulnerability as the lists show it, without the names that the catalog owns. */
export interface VulnerabilityView extends VulnerabilityDetails {
  id: string;
  package_name: string;
  package_version: string;
  package_versions: string[];
  purl: string;
  ecosystem: string;
  fixed_versions: string[];
  is_direct: boolean;
  project_id: string;
  line_id: string;
  sbom_id: string;
  status: VulnerabilityStatus;
  first_seen_at: string;
  last_seen_at: string;
}

/** The contract's brief record, in an SBOM's detail; `advisory_ids` is additive. */
export interface BriefVulnerability {
  id: string;
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  package_name: string;
  package_version: string;
  purl: string;
  fixed_versions: string[];
  status: VulnerabilityStatus;
  advisory_ids: string[];
}

const scope = { project_id: id.optional(), service_id: id.optional() };

export const listActive = rpc<PageOf<VulnerabilityView>>()({
  service: 'reconciler',
  name: 'list-active.v1',
  request: page.extend({
    ...scope,
    severity: z.array(z.enum(severities)).optional(),
    cve_id: z.string().optional(),
    sort: z.enum(vulnerabilitySorts),
    order: z.enum(['asc', 'desc']),
  }),
});

/**
 * Rows that are open or accepted and stand, or stood, for this id (upper case), by project and line.
 * `former_id`: the ids of the row no longer name it, because its aliases were corrected.
 */
export const findAffected = rpc<PageOf<VulnerabilityView & { former_id: boolean }>>()({
  service: 'reconciler',
  name: 'find-affected.v1',
  request: page.extend({ id: z.string().max(200), project_id: id.optional() }),
});

export const summariseActive = rpc<Record<Severity | 'total', number>>()({
  service: 'reconciler',
  name: 'summarise-active.v1',
  request: z.object(scope),
});

/** Attachment of the answer: gzip'd JSON array of `BriefVulnerability`, one per package version and alias group. */
export const listSbomVulnerabilities = rpc<{ count: number }>()({
  service: 'reconciler',
  name: 'list-sbom-vulnerabilities.v1',
  request: z.object({ sbom_id: id, line_id: id, seq: z.number().int(), digest }),
  timeoutMs: 60_000,
});

/** Takes an SBOM out of its line for good, before its delete is acknowledged; repeating it does nothing more. */
export const removeSbom = rpc<{ removed: true }>()({
  service: 'reconciler',
  name: 'remove-sbom.v1',
  request: z.object({ sbom_id: id, line_id: id, project_id: id }),
  timeoutMs: 30_000,
});

/** The contract's RiskAcceptanceResponse with the additive `expires_at`. */
export interface AcceptanceView {
  id: string;
  project_id: string;
  service_id: string | null;
  vulnerability_id: string;
  reason: string;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
}

export const createAcceptance = rpc<AcceptanceView>()({
  service: 'reconciler',
  name: 'create-acceptance.v1',
  request: z.object({
    project_id: id,
    service_id: id.nullable(),
    vulnerability_id: id,
    reason: z.string(),
    expires_at: z.string().nullable(),
  }),
});

export const listAcceptances = rpc<PageOf<AcceptanceView>>()({
  service: 'reconciler',
  name: 'list-acceptances.v1',
  request: page.extend({ project_id: id.optional() }),
});

/**
 * With `of_project` the acceptance exists only when it belongs to that project; a reconciler that does
 * not know the field must not answer, hence v2. Fails with `acceptance_not_found`.
 */
export const deleteAcceptance = rpc<{ deleted: true }>()({
  service: 'reconciler',
  name: 'delete-acceptance.v2',
  request: z.object({ acceptance_id: id, of_project: id.nullable().optional() }),
});
