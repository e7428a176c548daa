import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers } from '@bomtrail/service-kit';
import type { TestBus } from '@bomtrail/testkit';

// Long because it answers every question that the gateway has, for all five services behind it.

export const projectId = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
export const otherProjectId = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a12';
/** For which the notifier fails unexpectedly. */
export const brokenProjectId = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a13';
export const sbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f4';
export const serviceId = '0197c1a2-1f00-7d1b-a1b2-0c9d8e7f6a5b';
/** An SBOM with other components than `sbomId`, and one with the same. */
export const otherSbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f5';
export const twinSbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f6';
/** An SBOM of the other project. */
export const foreignSbomId = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f7';
export const rowId = '0197c1b4-77aa-7f21-8c3d-6e5f4a3b2c1d';
export const acceptanceId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5f';
export const alertRuleId = '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f60';
/** A rule that was tested a moment ago. */
export const restlessRuleId = '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f61';
export const missingId = '0197c1d0-ffff-7fff-8fff-ffffffffffff';

const instant = '2026-03-02T09:15:00.000Z';
/** With a byte order mark, spaces and a key twice: bytes that no JSON writer would give back. */
export const documentBytes = Buffer.from(
  '\uFEFF{ "bomFormat":"CycloneDX","a":1,"a":2,  "n":"ü" }\n',
);
export const documentSha256 = createHash('sha256').update(documentBytes).digest('hex');
const setDigest = 'd'.repeat(64);
const otherSetDigest = 'e'.repeat(64);

export const project: messages.ProjectView = {
  id: projectId,
  slug: 'web-shop',
  name: 'Web Shop',
  description: null,
  repo_url: null,
  platform: null,
  retention: null,
  created_at: instant,
  updated_at: null,
};

export const sbom: messages.SbomRecord = {
  id: sbomId,
  project_id: projectId,
  line_id: serviceId,
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
  scanned_at: instant,
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
  id: rowId,
  cve_id: 'CVE-2021-44228',
  severity: 'critical',
  cvss_score: 10,
  package_name: 'a',
  package_version: '1.0.0',
  purl: 'pkg:npm/a@1.0.0',
  fixed_versions: ['1.0.1'],
  status: 'open',
  advisory_ids: ['GHSA-jfh8-c2jp-5v3q'],
};

export const row: messages.VulnerabilityView = {
  ...brief,
  aliases: ['CVE-2021-44228'],
  cvss_vector: null,
  title: 'Remote code execution',
  description: 'Text that an attacker controls can run code.',
  published_at: null,
  modified_at: null,
  references: [{ type: 'WEB', url: 'https://example.org' }],
  package_versions: ['1.0.0'],
  ecosystem: 'npm',
  is_direct: true,
  project_id: projectId,
  line_id: serviceId,
  sbom_id: sbomId,
  first_seen_at: instant,
  last_seen_at: instant,
};

/** The same row, fixed and accepted when it comes back. */
export const record: messages.VulnerabilityRecord = {
  ...{ ...row, status: 'fixed' },
  ...{ introduced_in: { sbom_id: sbomId, at: instant }, reopened: 0, acceptances: [] },
  fixed_in: { sbom_id: otherSbomId, at: instant },
  timeline: [
    { event: 'opened', at: instant, sbom_id: sbomId },
    { event: 'accepted', at: instant, acceptance_id: acceptanceId },
    { event: 'fixed', at: instant, sbom_id: otherSbomId },
  ],
  timeline_complete: true,
};

export const acceptance: messages.AcceptanceView = {
  id: acceptanceId,
  project_id: projectId,
  service_id: null,
  vulnerability_id: rowId,
  reason: 'Not reachable.',
  ...{ expires_at: null, created_by: null },
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
};

export const delivery: messages.DeliveryView = {
  ...{ id: '0197c1e3-0a9b-7d44-9f10-2b3c4d5e6f70', at: instant, channel: 'email', kind: 'alert' },
  ...{ outcome: 'failed', reason: 'The SMTP server refused the login.', total: 3 },
  ...{ counts: { critical: 1, unknown: 2 }, next_attempt_at: '2026-03-02T09:16:00.000Z' },
};

export const alertPreview: messages.AlertPreview = {
  ...{ can_send: false, reason: 'No SMTP_HOST is set.', total: 1, counts: { critical: 1 } },
  top: [
    {
      ...{ vulnerability_id: rowId, severity: 'critical', cvss_score: 10 },
      ...{ cve_id: 'CVE-2021-44228', title: 'Remote code injection', package_name: 'a' },
      ...{ package_version: '1.0.0', fixed_versions: ['1.0.1'], service_name: 'Checkout' },
    },
  ],
  text: '1 new vulnerability in Web Shop',
};

export const undetermined: messages.UndeterminedComponent = {
  ...{ name: 'b', version: '1.0.0', purl: null, reason: 'no_purl' },
};

export const feed: messages.FeedView = {
  ...{ ecosystem: 'npm', standing: 'feed_stale', source: 'https://osv.example.org' },
  ...{ last_success_at: instant, as_of: instant, age_seconds: 90, records: 10, rejected: 1 },
  ...{ revision: 7, last_error: { message: 'HTTP 500', at: instant } },
};

export const holder: messages.PackageHolder = {
  ...{ line_id: serviceId, project_id: projectId, project_name: 'Web Shop' },
  ...{ project_slug: 'web-shop', service_id: serviceId, service_name: 'Checkout' },
  ...{ sbom_id: sbomId, version: '1.4.0' },
  packages: [
    {
      ...{ name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0' },
      ...{ ecosystem: 'npm', affected: true },
    },
  ],
};

/** What the played services were asked, and the parts of their answers that tests change. */
export interface PlayedServices {
  asked: { subject: string; body: Record<string, unknown> }[];
  /** The unpacked files of the uploads. */
  uploads: Buffer[];
  scanStatus: messages.ScanStatus;
  /** Thrown by the upload, when set. */
  uploadFails: Error | null;
  /** Runs before an upload is answered. */
  beforeUploadAnswer: () => Promise<void>;
}

/** Plays ingest, catalog, scanner, reconciler and notifier: one project with one SBOM. */
export function playServices(bus: TestBus): PlayedServices {
  const played: PlayedServices = {
    asked: [],
    uploads: [],
    scanStatus: 'scanned',
    uploadFails: null,
    beforeUploadAnswer: async () => {},
  };

  function play<Body, Response>(
    definition: messages.RpcDefinition<Body, Response>,
    answer: (body: Body, attachment: Uint8Array | null) => unknown,
    attachment?: () => Uint8Array,
  ): void {
    bus.play(
      answers(definition, async (body, received) => {
        played.asked.push({ subject: definition.subject, body: body as Record<string, unknown> });
        const answered = (await answer(body, received)) as Response;
        return { body: answered, attachment: attachment?.() ?? null };
      }),
    );
  }

  playCatalog(play, played);
  playIngest(play, played);
  playReconciler(play);
  playNotifier(play);
  play(messages.readCoverage, ({ digest }) => ({
    coverage: digest === null ? null : { components: 2, evaluated: 2, undetermined: {} },
    advisory_data: 'feed',
  }));
  playSearch(play);
  for (const service of ['ingest', 'catalog', 'scanner', 'reconciler'] as const) {
    play(messages.pingOf(service), () => ({ ready: true }));
  }
  return played;
}

type Play = <Body, Response>(
  definition: messages.RpcDefinition<Body, Response>,
  answer: (body: Body, attachment: Uint8Array | null) => unknown,
  attachment?: () => Uint8Array,
) => void;

function playCatalog(play: Play, played: PlayedServices): void {
  play(messages.createProject, (fields) => {
    if (fields.name === 'taken') throw new AppError('project_name_taken');
    return { ...project, ...fields };
  });
  play(messages.getProject, ({ project_id, project_slug }) => {
    if (project_id === projectId || project_slug === project.slug) return project;
    if (project_id === otherProjectId || project_slug === 'other')
      return { ...project, id: otherProjectId, slug: 'other' };
    throw new AppError('project_not_found');
  });
  play(messages.updateProject, ({ project_id, changes }) => {
    expectThe(project_id === projectId, 'project_not_found');
    return { ...project, ...changes, updated_at: instant };
  });
  play(messages.deleteProject, ({ project_id }) => {
    expectThe(project_id === projectId, 'project_not_found');
    return { deleted: true };
  });
  play(messages.listProjects, () => ({ items: [project], total: 51 }));
  play(messages.listProjectHistory, ({ project_id }) => {
    expectThe(project_id === projectId, 'project_not_found');
    const { id, version, format, dependency_count, created_at } = sbom;
    return { items: [{ id, version, format, dependency_count, created_at }], total: 1 };
  });
  play(messages.listServices, () => [{ id: serviceId, name: 'Checkout', project_id: projectId }]);
  play(messages.deleteService, ({ service_id, cascade, project_id }) => {
    const visible = project_id === null || project_id === projectId;
    expectThe(service_id === serviceId && visible, 'service_not_found');
    expectThe(cascade, 'service_has_sboms');
    return { deleted: true };
  });
  play(messages.getSbom, ({ sbom_id }) => {
    if (sbom_id === otherSbomId) return { ...sbom, id: otherSbomId, digest: otherSetDigest };
    if (sbom_id === twinSbomId) return { ...sbom, id: twinSbomId };
    if (sbom_id === foreignSbomId) return { ...sbom, id: sbom_id, project_id: otherProjectId };
    expectThe(sbom_id === sbomId, 'sbom_not_found');
    return { ...sbom, scan_status: played.scanStatus };
  });
  play(messages.deleteSbom, ({ sbom_id }) => {
    expectThe(sbom_id === sbomId, 'sbom_not_found');
    return { deleted: true };
  });
  play(messages.nameSboms, ({ sbom_ids }) =>
    // The catalog no longer knows the others.
    sbom_ids.filter((id) => id === sbomId).map((id) => ({ sbom_id: id, version: sbom.version })),
  );
  play(messages.nameLines, ({ line_ids }) =>
    line_ids.map((line_id) => ({
      line_id,
      project_id: projectId,
      project_name: project.name,
      service_id: serviceId,
      service_name: 'Checkout',
    })),
  );
}

function playIngest(play: Play, played: PlayedServices): void {
  play(messages.acceptUpload, async (target, attachment) => {
    played.uploads.push(gunzipSync(attachment ?? Buffer.alloc(0)));
    await played.beforeUploadAnswer();
    if (played.uploadFails) throw played.uploadFails;
    expectThe(target.project_id === projectId || target.project_slug !== null, 'project_not_found');
    const { id, format, spec_version, dependency_count } = sbom;
    const { sha256 } = target;
    const scan = { scan_status: 'pending', scanned_at: null };
    return { id, format, spec_version, dependency_count, sha256, ...scan };
  });
  play(
    messages.readDocument,
    () => ({ size: documentBytes.length }),
    () => gzipSync(documentBytes),
  );
  play(
    messages.readComponents,
    () => ({ count: dependencies.length }),
    () => gzipSync(JSON.stringify(dependencies)),
  );
  play(
    messages.diffComponents,
    () => ({ added: 1, removed: 0, changed: 1 }),
    () => gzipSync(JSON.stringify(diff)),
  );
}

function playReconciler(play: Play): void {
  play(messages.listActive, () => ({ items: [row], total: 1 }));
  play(messages.listVulnerabilities, ({ cve_id }) => {
    if (cve_id === 'TOO-MANY') return { items: [], total: 1e6, sortable: false };
    const { acceptances: _, timeline: __, timeline_complete: ___, ...listed } = record;
    return { items: [listed], total: 1, sortable: true };
  });
  play(messages.readVulnerability, ({ vulnerability_id, of_project }) => {
    const visible = (of_project ?? projectId) === projectId;
    expectThe(vulnerability_id === rowId && visible, 'vulnerability_not_found');
    return { ...record, acceptances: [acceptance] };
  });
  play(messages.summariseActive, () => ({
    ...{ critical: 1, high: 0, medium: 0, low: 0, none: 0, unknown: 0 },
    total: 1,
  }));
  play(
    messages.listSbomVulnerabilities,
    () => ({ count: 1 }),
    () => gzipSync(JSON.stringify([brief])),
  );
  play(messages.listAcceptances, () => ({ items: [acceptance], total: 1 }));
  play(messages.createAcceptance, (body) => {
    expectThe(body.vulnerability_id === rowId, 'vulnerability_not_found');
    return { ...acceptance, ...body };
  });
  play(messages.deleteAcceptance, ({ acceptance_id, of_project }) => {
    const visible = (of_project ?? projectId) === projectId;
    expectThe(acceptance_id === acceptanceId && visible, 'acceptance_not_found');
    return { deleted: true };
  });
}

/** One package and one advisory, in the one project. */
function playSearch(play: Play): void {
  play(
    messages.listUndetermined,
    () => ({
      total: 1,
      coverage: { components: 2, evaluated: 1, undetermined: { no_purl: 1 } },
      advisory_data: 'feed',
    }),
    () => Buffer.from(JSON.stringify([undetermined])),
  );
  play(messages.readFeeds, () => ({
    ...{ advisory_data: 'feed', revision: 7, settled: true, feeds: [feed] },
  }));
  play(messages.findPackageHolders, ({ project_id = projectId }) => ({
    items: project_id === projectId ? [holder] : [],
    total: project_id === projectId ? 1 : 0,
    ...{ complete: true, pending_sboms: 2, failed_sboms: 1 },
  }));
  play(messages.countUnscanned, () => ({ pending_sboms: 2, failed_sboms: 1 }));
  play(messages.findAdvisory, ({ id }) => {
    const known = id.toUpperCase() === brief.cve_id;
    return { known, ids: known ? [brief.cve_id] : [], withdrawn: false, advisory_data: 'feed' };
  });
  play(messages.findAffected, ({ id, project_id = projectId }) => {
    const affected = project_id === projectId && /^(cve-2021-44228|old-1)$/i.test(id);
    return {
      items: affected ? [{ ...row, status: 'accepted', former_id: id === 'OLD-1' }] : [],
      total: affected ? 1 : 0,
    };
  });
}

function playNotifier(play: Play): void {
  const expectRule = (named: messages.NamedAlertRule) => {
    const visible = named.of_project === null || named.of_project === projectId;
    expectThe(named.alert_id === alertRuleId && visible, 'alert_rule_not_found');
  };
  play(messages.listAlertRules, () => ({ items: [alertRule], total: 26 }));
  play(messages.createAlertRule, ({ config: _, ...rule }) => {
    if (rule.project_id === brokenProjectId) throw new Error('The notifier fails.');
    expectThe(rule.project_id !== missingId, 'project_not_found');
    return { ...alertRule, ...rule };
  });
  play(messages.updateAlertRule, (body) => {
    expectRule(body);
    expectThe(body.changes.project_id !== missingId, 'project_not_found');
    return { updated: true };
  });
  play(messages.deleteAlertRule, (body) => {
    expectRule(body);
    return { deleted: true };
  });
  play(messages.listDeliveries, (body) => {
    expectRule(body);
    return { items: [delivery], total: 26 };
  });
  play(messages.previewAlertRule, (body) => {
    expectRule(body);
    return alertPreview;
  });
  play(messages.testAlertRule, (body) => {
    expectThe(body.alert_id !== restlessRuleId, 'rate_limited');
    expectRule(body);
    return { ...delivery, kind: 'test', next_attempt_at: null };
  });
}

function expectThe(condition: boolean, code: messages.ErrorCode): void {
  if (!condition) throw new AppError(code);
}
