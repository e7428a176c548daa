import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { NoResponders, type Request } from '@bomtrail/messaging';
import type { Caller } from '../api-keys/domain/caller';
import { judge, type Caveat, type Judged } from '../gate/domain/verdict';
import { judgeLicenses, type LicenseResult } from '../gate/judge-licenses';
import { baselineThreshold, neededFeeds, stateOf, type JudgeSbomDeps } from '../gate/judge-sbom';
import { judgeAdvisories } from '../readiness/domain/readiness';
import { coverageView, type CoverageView } from '../sboms/domain/coverage-view';
import type { ReceivedFile } from '../uploads/received-file';
import { withinBinding } from '../uploads/upload-sbom';
import { scopeCaveats } from './domain/scope-caveats';

export interface CheckDocumentDeps extends Pick<JudgeSbomDeps, 'feeds'> {
  request: Request;
}

/** The gate of a check. */
export interface CheckGate {
  fail_on: messages.GateThreshold;
  only_new: boolean;
  fail_on_kev: boolean;
  max_epss?: number | undefined;
  only_fixable: boolean;
  fail_on_license: boolean;
  min_quality?: number | undefined;
  /** `last-passed`, `none`, or the version or id of an SBOM of the service. */
  baseline: string;
}

/** A document to be checked; a target without project is compared with nothing. */
export interface DocumentCheck {
  target: messages.UploadTarget;
  file: Omit<ReceivedFile, 'dispose'>;
  gate: CheckGate;
  /** Aborts when the caller has gone: no further step begins, and the services stop theirs. */
  gone: AbortSignal;
}

/** A verdict about a document that is stored nowhere. */
export interface CheckedDocument extends Omit<Judged, 'caveats'> {
  caveats: (Caveat | ReturnType<typeof scopeCaveats>[number])[];
  parsed: messages.ParsedDocument;
  scope: messages.CheckScope | null;
  coverage: CoverageView;
  /** null: the gate has no such rule. */
  licenses: LicenseResult | null;
  outcome: Omit<messages.ComponentsJudgement, 'coverage' | 'failing_bytes'>;
  oldestAgeSeconds: number | null;
  /** Gzip'd JSON arrays of `CheckedVulnerability`: the worst failing ones, and all. */
  failing: Uint8Array;
  vulnerabilities: Uint8Array;
}

/**
 * Judges a document and stores nothing (ADR 0052): ingest reads it, the reconciler judges its
 * components. The refusals and their order are those of an upload.
 *
 * @throws the reason of `gone`; AppError of ingest and catalog; `baseline_not_found`, `service_unavailable`
 */
export async function checkDocument(
  deps: CheckDocumentDeps,
  caller: Caller,
  { target, file, gate, gone }: DocumentCheck,
): Promise<CheckedDocument> {
  const { request } = deps;
  const isScoped = target.project_id !== null || target.project_slug !== null;
  const { project_id, project_slug, service_name } = isScoped
    ? await withinBinding(deps, caller, target)
    : target;
  const { sha256, size } = file;
  const document = { project_id, project_slug, sha256, size };
  const { body: parsed, attachment } = await request(
    messages.parseDocument,
    document,
    await file.packed(),
    gone,
  );
  if (!attachment) throw new Error('Ingest sent no components.');
  const place = { project_id, project_slug, service_name, root_name: parsed.root_name };
  gone.throwIfAborted();
  const scope = isScoped ? await findScope(deps, place, gate) : noScope(gate);
  const baseline = scope?.baseline ?? null;
  const { baseline: _named, fail_on_license: _license, min_quality, ...rule } = gate;
  const ofComponents = { projectId: scope?.project_id ?? null, components: attachment };
  const ofScope = { project_id: scope?.project_id ?? null, service_id: scope?.service_id ?? null };
  const query = { ...rule, ...ofScope, roots: parsed.roots, baseline: comparedWith(baseline) };
  const [{ body, attachment: records }, feeds, licenses] = await Promise.all([
    judgeFindings(deps, query, { components: attachment, file, gone }),
    deps.feeds(),
    judgeLicenses(deps, gate, ofComponents),
  ]);
  if (!records) throw new Error('The reconciler sent no findings.');
  const { coverage: counted, failing_bytes, ...outcome } = body;
  const coverage = coverageView(counted) as CoverageView;
  const { caveats, ...judged } = judge({
    scan: { status: 'scanned', error: null },
    coverage,
    found: outcome.found,
    revision: outcome.revision,
    baseline: stateOf(baseline),
    fail_on: gate.fail_on,
    only_new: gate.only_new,
    riskFeeds: neededFeeds(feeds.risk_feeds, gate),
    licenses,
    quality: min_quality === undefined ? null : { min: min_quality, found: parsed.quality },
  });
  return {
    ...judged,
    caveats: [...caveats, ...scopeCaveats(scope)],
    parsed,
    scope,
    coverage,
    licenses,
    outcome,
    oldestAgeSeconds: judgeAdvisories(feeds).oldest_age_seconds,
    failing: records.subarray(0, failing_bytes),
    vulnerabilities: records.subarray(failing_bytes),
  };
}

/** Only where VEX documents may decide, the document itself is needed again. */
async function judgeFindings(
  { request }: CheckDocumentDeps,
  query: messages.ComponentsToJudge,
  document: { components: Uint8Array; file: DocumentCheck['file']; gone: AbortSignal },
) {
  const { components, file, gone } = document;
  const { project_id } = query;
  if (project_id === null || !(await hasVex({ request }, project_id)))
    return request(messages.judgeComponents, query, components, gone);
  const { size } = file;
  const whole = { ...query, project_id, component_bytes: components.byteLength, size };
  const packed = await file.packed();
  return request(messages.judgeDocument, whole, [components, packed].flat(), gone);
}

/** A reconciler of an earlier release does not respond: it judges without VEX. */
async function hasVex(
  { request }: Pick<CheckDocumentDeps, 'request'>,
  project_id: string,
): Promise<boolean> {
  try {
    return (await request(messages.hasVex, { project_id })).body.has_vex;
  } catch (error) {
    if (error instanceof NoResponders) return false;
    throw error;
  }
}

async function findScope(
  { request }: CheckDocumentDeps,
  place: Pick<messages.UploadTarget, 'project_id' | 'project_slug' | 'service_name'> & {
    root_name: string | null;
  },
  { fail_on, baseline }: CheckGate,
): Promise<messages.CheckScope> {
  const query = { ...place, fail_on: baselineThreshold(fail_on), baseline };
  return (await request(messages.findCheckScope, query)).body;
}

function noScope({ baseline }: CheckGate): null {
  if (baseline === 'last-passed' || baseline === 'none') return null;
  throw new AppError(
    'baseline_not_found',
    'Name the project and service that the baseline belongs to.',
  );
}

function comparedWith(
  baseline: messages.SbomRecord | null,
): { sbom_id: string; digest: string } | 'none' | 'unknown' {
  const state = stateOf(baseline);
  if (!baseline || state === 'none') return 'none';
  return state === 'scanned' ? { sbom_id: baseline.id, digest: baseline.digest } : 'unknown';
}
