import { createHash } from 'node:crypto';
import type * as messages from '@bomtrail/messages';

export const projectId = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
export const otherProjectId = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a12';
/** For which the notifier fails unexpectedly, and the reconciler does not know whether it has VEX documents. */
export const brokenProjectId = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a13';
export const sbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f4';
export const serviceId = '0197c1a2-1f00-7d1b-a1b2-0c9d8e7f6a5b';
/** An SBOM with other components than `sbomId`, and one with the same. */
export const otherSbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f5';
export const twinSbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f6';
/** An SBOM of the other project. */
export const foreignSbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f7';
export const vulnerabilityId = '0197c1b4-77aa-7f21-8c3d-6e5f4a3b2c1d';
export const acceptanceId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5f';
export const alertRuleId = '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f60';
/** A project that has as many alert rules as it may have. */
export const fullProjectId = '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f62';
/** A rule whose receiver has had its tests of this hour. */
export const spentRuleId = '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f63';
/** A rule that was tested a moment ago. */
export const restlessRuleId = '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f61';
export const missingId = '0197c1d0-ffff-7fff-8fff-ffffffffffff';

export const instant = '2026-03-02T09:15:00.000Z';
/** With a byte order mark, spaces and a key twice: bytes that no JSON writer would give back. */
export const documentBytes = Buffer.from(
  '\uFEFF{ "bomFormat":"CycloneDX","a":1,"a":2,  "n":"ü" }\n',
);
export const documentSha256 = createHash('sha256').update(documentBytes).digest('hex');
const setDigest = 'd'.repeat(64);
export const otherSetDigest = 'e'.repeat(64);

export const project: messages.ProjectView = {
  id: projectId,
  slug: 'web-shop',
  name: 'Web Shop',
  description: null,
  repo_url: null,
  platform: null,
  retention: null,
  service_levels: { critical: 7 },
  license_policy: { groups: { network_copyleft: 'deny' } },
  ships_products: true,
  embedded_vex: 'off',
  owner: 'Team Shop',
  labels: ['pci'],
  created_at: instant,
  updated_at: null,
};

export const scanError = 'The scan was given up: its components are gone.';

export const sbom: messages.SbomRecord = {
  id: sbomId,
  project_id: projectId,
  service_id: serviceId,
  service_name: 'Käse "Checkout"/../',
  seq: 1,
  version: '1.4.0',
  format: 'cyclonedx',
  spec_version: '1.6',
  sha256: documentSha256,
  digest: setDigest,
  dependency_count: 2,
  created_at: instant,
  scan_status: 'scanned',
  scan_error: null,
  scanned_at: instant,
  uploaded_by: { key_id: missingId, key_prefix: 'ci0webshop00', key_name: 'CI' },
  commit: '4f2c',
  build_url: 'https://ci.example.org/1',
  gate_passed: [],
  retained: true,
};

export const dependencies = ['a', 'b'].map((name) => ({
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  type: 'library',
  license: null,
  is_direct: true,
}));

export const diff = {
  added: [{ name: 'express', version: '5.1.0' }],
  removed: [],
  changed: [{ name: 'qs', from_version: '6.13.0', to_version: '6.14.0' }],
};

export const brief: messages.BriefVulnerability = {
  id: vulnerabilityId,
  cve_id: 'CVE-2021-44228',
  severity: 'critical',
  cvss_score: 10,
  package_name: 'a',
  package_version: '1.0.0',
  package_versions: ['1.0.0'],
  purl: 'pkg:npm/a@1.0.0',
  fixed_versions: ['1.0.1'],
  status: 'open',
  decision: null,
  detected_at: instant,
  is_direct: true,
  is_root: false,
  advisory_ids: ['GHSA-jfh8-c2jp-5v3q'],
  epss_score: 0.94,
  epss_percentile: 0.999,
  kev: { date_added: '2021-12-10', due_date: '2021-12-24', ransomware: true },
  risk: 100,
};

const { detected_at: _detected, ...briefOfDocument } = brief;

export const checkedVulnerability: messages.CheckedVulnerability = {
  ...briefOfDocument,
  id: null,
  aliases: ['CVE-2021-44228'],
  cvss_vector: null,
  severity_source: null,
  title: 'Remote code execution',
  ecosystem: 'npm',
  published_at: null,
  modified_at: null,
  is_new: true,
  failed_rules: ['fail_on'],
};

export const trackedVulnerability: messages.VulnerabilityView = {
  ...brief,
  aliases: ['CVE-2021-44228'],
  cvss_vector: null,
  title: 'Remote code execution',
  description: 'Text that an attacker controls can run code.',
  published_at: null,
  modified_at: null,
  references: [{ type: 'WEB', url: 'https://example.org' }],
  ecosystem: 'npm',
  project_id: projectId,
  service_id: serviceId,
  sbom_id: sbomId,
  first_seen_at: instant,
  exploited_known_at: instant,
  last_seen_at: instant,
};

/** The group of the row, without what it is grouped by. */
export const group: messages.VulnerabilityGroup = {
  cve_id: null,
  title: null,
  package_name: null,
  ecosystem: null,
  project_id: null,
  service_id: null,
  counts: { critical: 1, high: 0, medium: 0, low: 0, none: 0, unknown: 0 },
  total: 1,
  kev: 1,
  fixable: 1,
  highest_risk: 100,
};
export const groupedBy: Record<messages.Grouping, Partial<messages.VulnerabilityGroup>> = {
  vulnerability: { cve_id: brief.cve_id, title: trackedVulnerability.title },
  package: { package_name: brief.package_name, ecosystem: 'npm' },
  service: { service_id: serviceId, project_id: projectId },
  project: { project_id: projectId },
};

/** The same row, fixed and accepted when it comes back. */
export const record: messages.VulnerabilityRecord = {
  ...trackedVulnerability,
  status: 'fixed',
  introduced_in: { sbom_id: sbomId, at: instant },
  reopened: 0,
  acceptances: [],
  fixed_in: { sbom_id: otherSbomId, at: instant },
  timeline: [
    { event: 'opened', at: instant, sbom_id: sbomId },
    {
      event: 'accepted',
      at: instant,
      acceptance_id: acceptanceId,
      reason: 'Not reachable.',
      justification: null,
      created_by: null,
      source: 'manual',
    },
    { event: 'fixed', at: instant, sbom_id: otherSbomId },
  ],
  suggestions: [],
  timeline_complete: true,
};

export const acceptance: messages.AcceptanceView = {
  id: acceptanceId,
  project_id: projectId,
  service_id: null,
  vulnerability_id: vulnerabilityId,
  reason: 'Not reachable.',
  service_ids: null,
  decision: 'risk_accepted',
  justification: null,
  detail: null,
  ticket_url: null,
  assignee: null,
  source: 'manual',
  source_document: null,
  updated_by: null,
  expires_at: null,
  created_by: null,
  created_at: instant,
  updated_at: instant,
};

export const alertRule: messages.AlertRuleView = {
  id: alertRuleId,
  project_id: projectId,
  severity_threshold: 'high',
  notification_type: 'email',
  enabled: true,
  created_at: instant,
  by_severity: true,
  kev: true,
  min_epss: 0.1,
  options: {
    owner: 'Team Shop',
    labels: ['pci'],
    quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', weekends: true },
    digest: { every: 'week', at: '08:00', weekday: 'monday', time_zone: 'UTC' },
    reminder_days: 7,
    installation: false,
  },
};

export const undetermined: messages.UndeterminedComponent = {
  name: 'b',
  version: '1.0.0',
  purl: null,
  reason: 'no_purl',
  advisory_ids: [],
};

export const feed: messages.FeedView = {
  ecosystem: 'npm',
  data_status: 'feed_stale',
  source: 'https://osv.example.org',
  last_success_at: instant,
  as_of: instant,
  age_seconds: 90,
  records: 10,
  rejected: 1,
  revision: 7,
  last_error: { message: 'HTTP 500', at: instant },
};

export const riskFeed: messages.RiskFeedView = {
  feed: 'epss',
  enabled: true,
  source: 'https://scores.example.org/epss.csv.gz',
  last_success_at: instant,
  as_of: instant,
  age_seconds: 90,
  records: 10,
  revision: 2,
  last_error: null,
};

export const serviceUsing: messages.ServiceUsing = {
  service_id: serviceId,
  project_id: projectId,
  project_name: 'Web Shop',
  project_slug: 'web-shop',
  service_name: 'Checkout',
  sbom_id: sbomId,
  version: '1.4.0',
  packages: [
    {
      name: 'a',
      version: '1.0.0',
      purl: 'pkg:npm/a@1.0.0',
      ecosystem: 'npm',
      affected: true,
    },
  ],
};

export const serviceLicensed: messages.ServiceLicensed = {
  service_id: serviceId,
  project_id: projectId,
  project_name: 'Web Shop',
  project_slug: 'web-shop',
  service_name: 'Checkout',
  sbom_id: sbomId,
  version: '1.4.0',
  components: 1,
  first_components: [
    { name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0', license: 'AGPL-3.0-only' },
  ],
};

export const noCounts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
export const noSum = { total: 0, counts: noCounts, kev: 0, max_epss: null, risk: 0, ids: [] };

export const remediation: messages.RemediationView = {
  package_name: 'lodash',
  ecosystem: 'npm',
  purls: ['pkg:npm/lodash'],
  is_direct: true,
  upgrades: [
    {
      release: null,
      source_package: null,
      from: ['4.17.15'],
      to: '4.17.21',
      is_major: false,
      reason: null,
      refused: [],
    },
  ],
  closes: { ...noSum, total: 1, counts: { ...noCounts, high: 1 }, ids: ['CVE-2021-23337'] },
  remains: noSum,
  major_step: null,
  services: [
    {
      service_id: serviceId,
      project_id: projectId,
      sbom_id: sbomId,
      versions: ['4.17.15'],
      purl: 'pkg:npm/lodash@4.17.15',
      is_direct: true,
      closes: 1,
      remains: 0,
    },
  ],
  service_count: 1,
};

const noTimes = { critical: null, high: null, medium: null, low: null, none: null, unknown: null };

export const dayStatistics: messages.DayStatistics = {
  day: '2026-03-02',
  open: { ...noCounts, critical: 1 },
  opened: noCounts,
  fixed: { ...noCounts, high: 1 },
  accepted: noCounts,
  overdue: noCounts,
  time_to_fix: { ...noTimes, high: { count: 1, mean_seconds: 60, median_seconds: 60 } },
  oldest_open_at: instant,
  undetermined_share: 0.5,
};

/** A document that states everything but its suppliers. */
export const quality: messages.SbomQuality = {
  score: 50,
  ntia_score: 50,
  bsi_score: 100,
  components: 2,
  elements: [
    { element: 'name', required_by: ['ntia', 'bsi'], present: 2, total: 2, reason: null },
    {
      element: 'supplier',
      required_by: ['ntia'],
      present: 0,
      total: 2,
      reason: '2 of 2 components state no supplier or other creator.',
    },
  ],
};

/** What the policy of `project` says of a document: one licence is denied, one is unknown. */
export const judgedLicenses: messages.LicenseJudgement = {
  allowed: 1,
  warned: 0,
  denied: 1,
  unknown: 1,
  excepted: 0,
  components: [
    {
      name: 'mongo-tool',
      version: '1.0.0',
      purl: 'pkg:npm/mongo-tool@1.0.0',
      license: 'AGPL-3.0-only',
      outcome: 'deny',
      rule: 'group',
    },
    { name: 'own', version: '1', purl: null, license: null, outcome: 'unknown', rule: 'unknown' },
  ],
};
