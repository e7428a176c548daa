import { gunzipSync, gzipSync } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import type { TestBus } from '@bomtrail/testkit';
import {
  acceptance,
  brief,
  dependencies,
  dayStatistics,
  diff,
  documentBytes,
  group,
  groupedBy,
  foreignSbomId,
  quality,
  instant,
  otherProjectId,
  otherSbomId,
  otherSetDigest,
  project,
  projectId,
  record,
  noSum,
  remediation,
  trackedVulnerability,
  vulnerabilityId,
  sbom,
  scanError,
  sbomId,
  serviceId,
  twinSbomId,
} from './fake-data';
import { oneFailing } from './one-failing';
import { expectThe, type Fake } from './fake';
import { fakeCheck } from './fake-check';
import { fakeDeadLetters } from './fake-dead-letters';
import { fakeDecisions } from './fake-decisions';
import { fakeImports } from './fake-imports';
import { fakeNotifier } from './fake-notifier';
import { fakeSearch } from './fake-search';
import { fakeVex } from './fake-vex';

/** What the played services were asked, and the parts of their answers that tests change. */
export interface FakeServices {
  requested: { subject: string; body: Record<string, unknown> }[];
  /** The unpacked files of the uploads. */
  uploads: Buffer[];
  /** The unpacked files of the checks. */
  checks: Buffer[];
  /** Those that are judged with VEX documents. */
  checksWithVex: Buffer[];
  scanStatus: messages.ScanStatus;
  /** null: the scanner does not answer for it. */
  coverage: messages.Coverage | null;
  namesRevision: string;
  remediations: messages.RemediationView[];
  /** Services that each decision and each decision rule names; none: it names none. */
  decidedServices: string[][];
  /** Of each question to take an upload: did the bytes come with it? */
  sent: boolean[];
  /** As if the documents that were taken had gone. */
  forgetDocuments: () => void;
  /** Thrown by the upload, when set. */
  uploadFails: Error | null;
  /** Runs before an upload is answered. */
  beforeUploadResponse: () => Promise<void>;
  /** Runs before a check's document is read; `gone` aborts when its caller has gone. */
  beforeParse: (gone: AbortSignal) => Promise<void>;
  /** Runs before each part of an export of vulnerabilities. */
  beforeExport: () => Promise<void>;
}

/** Plays ingest, catalog, scanner, reconciler and notifier: one project with one SBOM. */
export function fakeServices(bus: TestBus, { olderCatalog = false } = {}): FakeServices {
  const fakes: FakeServices = {
    requested: [],
    uploads: [],
    checks: [],
    checksWithVex: [],
    sent: [],
    forgetDocuments: () => {},
    scanStatus: 'scanned',
    coverage: { components: 2, evaluated: 2, undetermined: {} },
    namesRevision: 'first',
    remediations: [remediation],
    decidedServices: [],
    uploadFails: null,
    beforeUploadResponse: async () => {},
    beforeParse: async () => {},
    beforeExport: async () => {},
  };

  function play<Body, Response>(
    definition: messages.RpcDefinition<Body, Response>,
    response: (body: Body, attachment: Uint8Array | null) => unknown,
    attachment?: () => Uint8Array,
  ): void {
    bus.serve(
      handles(definition, async (body, received, gone) => {
        fakes.requested.push({
          subject: definition.subject,
          body: body as Record<string, unknown>,
        });
        if (definition.subject === messages.parseDocument.subject) await fakes.beforeParse(gone);
        const result = (await response(body, received)) as Response;
        return { body: result, attachment: attachment?.() ?? null };
      }),
    );
  }

  fakeCatalog(play, fakes);
  if (!olderCatalog) {
    play(messages.readNamesRevision, () => ({ revision: fakes.namesRevision }));
    play(messages.listFinished, ({ sbom_ids }) => ({
      sbom_ids: fakes.scanStatus === 'pending' ? [] : sbom_ids,
    }));
  }
  fakeIngest(play, fakes);
  fakeReconciler(play, fakes);
  fakeNotifier(play);
  fakeCheck(play, fakes.checks, fakes.checksWithVex);
  fakeDeadLetters(play);
  fakeDecisions(play, fakes.decidedServices);
  fakeVex(play);
  fakeImports(play);
  play(messages.readCoverage, ({ digest }) => ({
    coverage: digest === null ? null : fakes.coverage,
    advisory_data: 'feed',
    revision: 1,
  }));
  play(messages.readCoverages, ({ digests }) => {
    const { coverage } = fakes;
    if (!coverage) throw new AppError('service_unavailable');
    return { coverages: Object.fromEntries(digests.map((digest) => [digest, coverage])) };
  });
  play(messages.readStatistics, () => ({ days: [dayStatistics], computed_at: instant }));
  fakeSearch(play);
  for (const service of ['ingest', 'catalog', 'scanner', 'reconciler'] as const) {
    play(messages.pingOf(service), () => ({ ready: true }));
  }
  return fakes;
}

function fakeCatalog(play: Fake, fakes: FakeServices): void {
  play(messages.createProject, (fields) => {
    if (fields.name === 'taken') throw new AppError('project_name_taken');
    return { ...project, ...fields, labels: fields.labels ?? [], owner: fields.owner ?? null };
  });
  play(messages.getProject, ({ project_id, project_slug }) => {
    if (project_id === projectId || project_slug === project.slug) return project;
    if (project_id === otherProjectId || project_slug === 'other')
      return { ...project, id: otherProjectId, slug: 'other' };
    throw new AppError('project_not_found');
  });
  play(messages.updateProject, ({ project_id, changes }) => {
    expectThe(project_id === projectId, 'project_not_found');
    const { owner = project.owner, labels } = changes;
    return { ...project, ...changes, owner, labels: labels ?? project.labels, updated_at: instant };
  });
  play(messages.deleteProject, ({ project_id }) => {
    expectThe(project_id === projectId, 'project_not_found');
    return { deleted: true };
  });
  play(messages.listProjects, () => ({ items: [project], total: 51 }));
  play(messages.listProjectHistory, ({ project_id }) => {
    expectThe(project_id === projectId, 'project_not_found');
    const { id, version, format, dependency_count, created_at } = sbom;
    const { seq, scan_status, service_id, retained } = sbom;
    const { uploaded_by, commit, build_url } = sbom;
    const from = { uploaded_by, commit, build_url };
    const item = { id, version, format, dependency_count, created_at, retained, ...from };
    const found = { seq, scan_status, service_id, digest: sbom.digest };
    return {
      items: [{ ...item, ...found, service_name: 'Checkout' }],
      total: 1,
    };
  });
  const service: messages.ServiceView = {
    id: serviceId,
    name: 'Checkout',
    project_id: projectId,
    latest_sbom: {
      id: sbomId,
      version: '1.4.0',
      created_at: instant,
      scan_status: 'scanned',
      retained: true,
      digest: sbom.digest,
    },
    owner: 'Team Checkout',
    labels: ['internet-facing'],
  };
  play(messages.listServices, () => [service]);
  play(messages.updateService, ({ service_id, project_id, changes }) => {
    const visible = messages.isInScope(project_id, projectId);
    expectThe(service_id === serviceId && visible, 'service_not_found');
    const { owner = service.owner, labels } = changes;
    return { ...service, owner, labels: labels ?? service.labels };
  });
  play(messages.findOwnedServices, ({ owner, has_owner, labels }) => {
    if (has_owner !== undefined)
      return { service_ids: has_owner ? [serviceId] : [], complete: true };
    if (owner === 'everybody') return { service_ids: [], complete: false };
    const isOwn = owner === service.owner || labels?.includes('internet-facing') === true;
    return { service_ids: isOwn ? [serviceId] : [], complete: true };
  });
  play(messages.deleteService, ({ service_id, cascade, project_id }) => {
    const visible = messages.isInScope(project_id, projectId);
    expectThe(service_id === serviceId && visible, 'service_not_found');
    expectThe(cascade, 'service_has_sboms');
    return { deleted: true };
  });
  play(messages.findBaseline, ({ named }) => {
    expectThe(named === null, 'baseline_not_found');
    return { baseline: null };
  });
  play(messages.recordGateOutcome, () => ({ recorded: true }));
  play(messages.getSbom, ({ sbom_id }) => {
    if (sbom_id === otherSbomId) return { ...sbom, id: otherSbomId, digest: otherSetDigest };
    if (sbom_id === twinSbomId) return { ...sbom, id: twinSbomId };
    if (sbom_id === foreignSbomId) return { ...sbom, id: sbom_id, project_id: otherProjectId };
    expectThe(sbom_id === sbomId, 'sbom_not_found');
    const scan_error = fakes.scanStatus === 'failed' ? scanError : null;
    return { ...sbom, scan_status: fakes.scanStatus, scan_error };
  });
  play(messages.deleteSbom, ({ sbom_id }) => {
    expectThe(sbom_id === sbomId, 'sbom_not_found');
    return { deleted: true };
  });
  play(messages.nameSboms, ({ sbom_ids }) =>
    // The catalog no longer knows the others.
    sbom_ids.filter((id) => id === sbomId).map((id) => ({ sbom_id: id, version: sbom.version })),
  );
  play(messages.nameProjects, ({ project_ids }) =>
    project_ids
      .filter((id) => id === projectId)
      .map((project_id) => ({
        project_id,
        project_name: project.name,
        project_slug: project.slug,
      })),
  );
  play(messages.listServiceLevels, () => [
    { service_levels: { critical: 7 }, project_ids: [projectId] },
  ]);
  play(messages.nameServices, ({ service_ids }) =>
    service_ids.map((service_id) => ({
      service_id,
      project_id: projectId,
      project_name: project.name,
      service_name: 'Checkout',
      owner: 'Team Checkout',
      service_levels: { critical: 7 },
    })),
  );
}

function fakeIngest(play: Fake, fakes: FakeServices): void {
  const storedDocuments = new Map<string, Buffer>();
  fakes.forgetDocuments = () => storedDocuments.clear();
  play(messages.acceptUpload, async (target, attachment) => {
    fakes.sent.push(attachment !== null);
    const document = attachment ? gunzipSync(attachment) : storedDocuments.get(target.sha256);
    if (!document) throw new AppError('malformed_body', 'The document is missing.');
    storedDocuments.set(target.sha256, document);
    fakes.uploads.push(document);
    await fakes.beforeUploadResponse();
    if (fakes.uploadFails) throw fakes.uploadFails;
    expectThe(target.project_id === projectId || target.project_slug !== null, 'project_not_found');
    const { id, format, spec_version, dependency_count } = sbom;
    const { sha256 } = target;
    const scan = { scan_status: 'pending', scanned_at: null };
    const none = { uploaded_by: null, commit: null, build_url: null };
    const from = target.provenance ?? none;
    const quality_score = quality.score;
    return { id, format, spec_version, dependency_count, sha256, quality_score, ...scan, ...from };
  });
  play(
    messages.readDocument,
    () => ({ size: documentBytes.length }),
    () => gzipSync(documentBytes),
  );
  play(messages.readQuality, () => ({ quality }));
  play(
    messages.readComponents,
    () => ({ count: dependencies.length }),
    () => gzipSync(JSON.stringify(dependencies)),
  );
  const path = { name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0' };
  play(
    messages.findDependencyPaths,
    () => ({ count: 1 }),
    () =>
      Buffer.from(
        JSON.stringify([
          { purl: path.purl, has_graph: true, found: true, paths: [[path]], more: false },
        ]),
      ),
  );
  play(
    messages.readDependencyLevel,
    () => ({ total: 1 }),
    () => {
      const node = { ...path, id: 'a', children: 0, matches: true };
      const level = { has_graph: true, parent_known: true, items: [node], total: 1 };
      return gzipSync(JSON.stringify(level));
    },
  );
  play(
    messages.diffComponents,
    () => ({ added: 1, removed: 0, changed: 1 }),
    () => gzipSync(JSON.stringify(diff)),
  );
}

function fakeReconciler(play: Fake, fakes: FakeServices): void {
  play(messages.listActive, () => ({ items: [trackedVulnerability], total: 1 }));
  play(messages.listVulnerabilities, () => {
    const {
      acceptances: _,
      timeline: __,
      timeline_complete: ___,
      suggestions: ____,
      ...listed
    } = record;
    return { items: [listed], total: 1, has_more: false };
  });
  play(messages.readVulnerability, ({ vulnerability_id, of_project }) => {
    const visible = messages.isInScope(of_project, projectId);
    expectThe(vulnerability_id === vulnerabilityId && visible, 'vulnerability_not_found');
    return { ...record, acceptances: [acceptance] };
  });
  play(messages.describeSbom, () => ({ purl: 'pkg:npm/shop@1.0.0', bom: null }));
  play(messages.summariseActive, () => ({
    critical: 1,
    high: 0,
    medium: 0,
    low: 0,
    none: 0,
    unknown: 0,
    total: 1,
  }));
  play(messages.groupVulnerabilities, ({ group_by }) => ({
    items: [{ ...group, ...groupedBy[group_by] }],
    total: 1,
  }));
  play(
    messages.listSbomVulnerabilities,
    () => ({ count: 1 }),
    () => gzipSync(JSON.stringify([brief])),
  );
  play(
    messages.countFindings,
    () => oneFailing,
    () => gzipSync(JSON.stringify([{ ...brief, is_new: true, failed_rules: ['fail_on'] }])),
  );
  play(
    messages.planRemediations,
    () => ({ total: 1, complete: true, closes: remediation.closes, remains: noSum }),
    () => Buffer.from(JSON.stringify(fakes.remediations)),
  );
  play(messages.countServices, ({ service_ids }) =>
    service_ids.map((service_id) => ({ service_id, counts: group.counts })),
  );
  play(messages.countSboms, ({ sboms }) =>
    sboms.map(({ sbom_id }) => ({ sbom_id, counts: group.counts })),
  );
  play(
    messages.exportVulnerabilities,
    async ({ after }) => {
      await fakes.beforeExport();
      return { next: after === null ? { service_id: serviceId } : null };
    },
    () => Buffer.from(JSON.stringify([trackedVulnerability])),
  );
}
