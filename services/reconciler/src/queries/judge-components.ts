import {
  AppError,
  matchComponents,
  maxFailingReturned,
  type CheckedVulnerability,
  type ComponentsMatch,
  type ComponentsToJudge,
  type FindingCounts,
  type FindingsReport,
} from '@bomtrail/messages';
import { unpackLines } from '@bomtrail/messaging';
import { v7 as newId } from 'uuid';
import { rateDetails } from '../risk/rate-details';
import { unrated } from '../risk/domain/risk-values';
import { TooLargeError } from '../tracking/domain/too-large-error';
import type { ActiveDecision } from '../tracking/domain/decision-types';
import type { Observation, TrackedVulnerability } from '../tracking/domain/types';
import { retryWhileChanging, readUnfolded } from '../tracking/large-scans';
import type { JoinedReport } from '../tracking/observations-of';
import type { ServiceStates } from '../tracking/ports';
import { toDetailsDocument } from '../tracking/store/details-document';
import type { ServiceStateDocument } from '../tracking/store/documents';
import { briefRecords } from './domain/brief-records';
import {
  addCounts,
  countFindings,
  judgeFindings,
  type JudgedFinding,
} from './domain/count-findings';
import { placeUnstored } from './domain/place-unstored';
import { decisionsOnDocument, type DecisionsDeps } from '../vex/decisions-about';
import type { UnstoredDocument } from '../vex/match-sbom';
import { partsByPackage } from './parts-by-package';
import { includesSeq } from '../tracking/domain/presence';

export interface JudgeComponentsDeps extends DecisionsDeps {
  states: Pick<ServiceStates, 'state' | 'vulnerabilities' | 'sbomVersion'>;
}

/** What is judged. */
export interface Checked {
  /** The components: as of the message `match-components`. */
  packed: Uint8Array;
  /** With it, VEX documents of the project decide; null: they do not. */
  document: UnstoredDocument | null;
  /** Aborts when the judgement is no longer wanted. */
  gone: AbortSignal;
}

/** A judgement that is computed while its pages are read. */
export interface OpenJudgement {
  match: ComponentsMatch;
  /** Every vulnerability of the document once, by package; to be read to the end, once. */
  pages(): AsyncGenerator<CheckedVulnerability[]>;
  /** What the pages add up to, and the worst failing ones. */
  judged(): { counts: FindingCounts; failing: CheckedVulnerability[] };
}

/**
 * Judges components that are stored nowhere as if they were the newest SBOM of a service (CH1), and stores
 * nothing (ADR 0052). Findings are processed in parts, by package.
 *
 * @throws AppError `service_unavailable` while the scanner cannot answer or the baseline is not reconciled
 */
export async function judgeComponents(
  deps: JudgeComponentsDeps,
  query: ComponentsToJudge,
  { packed, document, gone }: Checked,
): Promise<OpenJudgement> {
  const { roots, baseline, ...rule } = query;
  const [{ body: match, attachment }, service] = await Promise.all([
    deps.request(matchComponents, { roots }, packed, gone),
    readService(deps, query, document),
  ]);
  if (!attachment) throw new Error('The scanner sent no findings.');
  const had = typeof baseline === 'string' ? baseline : [];
  let sum = countFindings<Judgeable>([], had, rule);
  const tracked = new Set<string>();

  async function* judgePart(part: JoinedReport): AsyncGenerator<CheckedVulnerability[]> {
    gone.throwIfAborted();
    const compared = await compareWith(deps, service, part.observations).catch(asTooLarge);
    if (compared === 'too large') {
      for (const half of halves(part)) yield* judgePart(half);
      return;
    }
    const records = await recordsOf(deps, part, compared.placed);
    const before = typeof baseline === 'string' ? baseline : compared.baseline;
    const counted = countFindings(records, before, rule);
    sum = addCounts(sum, counted, maxFailingReturned);
    for (const { id } of counted.failing.slice(0, maxFailingReturned))
      if (compared.tracked.has(id)) tracked.add(id);
    yield judgeFindings(records, before, rule).map((one) => checked(one, compared.tracked));
  }

  return {
    match,
    async *pages() {
      const reports = unpackLines(attachment) as AsyncGenerator<FindingsReport>;
      for await (const part of partsByPackage(reports)) yield* judgePart(part);
    },
    judged: () => ({
      counts: { ...sum.counts, revision: match.revision, untracked: 0 },
      failing: sum.failing.slice(0, maxFailingReturned).map((one) => checked(one, tracked)),
    }),
  };
}

/** The stored facts about the service, and the decisions that apply. */
interface ServiceFacts {
  service_id: string;
  state: ServiceStateDocument | null;
  decisions: readonly ActiveDecision[];
  now: string;
  baseline: { digest: string; seq: number; expired: boolean } | null;
}

async function readService(
  deps: JudgeComponentsDeps,
  { project_id, service_id, baseline }: ComponentsToJudge,
  document: UnstoredDocument | null,
): Promise<ServiceFacts> {
  const { states } = deps;
  const service = { project_id: project_id ?? '', service_id: service_id ?? '' };
  const [state, active, sbomVersion] = await Promise.all([
    service_id === null ? null : states.state(service_id),
    // Without a project or service, those that apply everywhere.
    decisionsOnDocument(deps, service, document),
    typeof baseline === 'string' ? null : states.sbomVersion(baseline.sbom_id),
  ]);
  if (typeof baseline !== 'string' && (!sbomVersion || 'removed' in sbomVersion))
    throw new AppError('service_unavailable', 'The baseline has just changed: repeat the request.');
  const stored = sbomVersion && !('removed' in sbomVersion) ? sbomVersion : null;
  return {
    service_id: service_id ?? '',
    state: state === 'deleted' ? null : state,
    ...active,
    baseline: stored && {
      digest: stored.digest,
      seq: stored.seq,
      expired: stored.expired ?? false,
    },
  };
}

/** The findings of a part with the vulnerabilities that they would be; `tracked`: ids that exist. */
async function compareWith(
  deps: JudgeComponentsDeps,
  service: ServiceFacts,
  observations: readonly Observation[],
) {
  const { service_id, state, decisions, now, baseline } = service;
  const packages = [...new Set(observations.map(({ package_key }) => package_key))];
  const [stored, ofBaseline] = await Promise.all([
    state ? deps.states.vulnerabilities({ serviceId: service_id, state }, packages) : [],
    baseline && !baseline.expired ? readBaseline(deps, { digest: baseline.digest, packages }) : [],
  ]);
  const ids = baseline?.expired ? idsAt(stored, baseline.seq) : [];
  const placed = placeUnstored({
    service_id,
    stored,
    observations,
    baseline: { observations: ofBaseline, ids },
    decisions,
    now,
    newId,
  });
  const listed = stored.filter(({ status }) => status !== 'merged' && status !== 'vanished');
  return { ...placed, tracked: new Set(listed.map(({ id }) => id)) };
}

/** The findings of the baseline in these packages, with the advisories in force. */
async function readBaseline(
  { request }: JudgeComponentsDeps,
  query: { digest: string; packages: readonly string[] },
): Promise<readonly Observation[]> {
  return (await retryWhileChanging(() => readUnfolded(request, query))).observations;
}

/** What an expired SBOM contains, by its place in the service (R19). */
function idsAt(stored: readonly TrackedVulnerability[], seq: number): string[] {
  return stored
    .filter(({ presence }) => presence.some((interval) => includesSeq(interval, seq)))
    .map(({ id }) => id);
}

type Judgeable = Omit<CheckedVulnerability, 'id' | 'is_new' | 'failed_rules'> & {
  id: string;
  detected_at: string | null;
};

/** One record for each vulnerability, with its details and risk values. */
async function recordsOf(
  deps: JudgeComponentsDeps,
  { details }: JoinedReport,
  placed: Parameters<typeof briefRecords>[0],
): Promise<Judgeable[]> {
  const matched = briefRecords(placed);
  const used = new Set(matched.map((one) => one.details));
  const rated = [...details]
    .filter(([id]) => used.has(id))
    .map(([id, own]) => {
      const { alias_keys, score_sort, has_fix } = toDetailsDocument(id, own);
      return { id, alias_keys, score_sort, has_fix };
    });
  const risks = await rateDetails(deps, rated);
  return matched.flatMap((one) => {
    const own = details.get(one.details);
    if (!own) return [];
    const { aliases, cvss_vector, title, published_at, modified_at, ecosystem } = own;
    const also = { aliases, cvss_vector, title, published_at, modified_at, ecosystem };
    const { exploited_known_at: _ofTheCve, ...risk } = risks.get(one.details) ?? unrated;
    const values = { ...one.brief, ...risk };
    return [{ ...values, ...also, severity_source: own.severity_source ?? null }];
  });
}

/** The record in the API: only an id that exists is shown. */
function checked(
  { detected_at: _unlisted, ...one }: JudgedFinding<Judgeable>,
  tracked: ReadonlySet<string>,
): CheckedVulnerability {
  return { ...one, id: tracked.has(one.id) ? one.id : null };
}

function asTooLarge(error: unknown): 'too large' {
  if (error instanceof TooLargeError) return 'too large';
  throw error;
}

/** Two parts with half of the packages each. A single package is never too large. */
function halves({ observations, details }: JoinedReport): JoinedReport[] {
  const packages = [...new Set(observations.map(({ package_key }) => package_key))];
  const first = new Set(packages.slice(0, Math.ceil(packages.length / 2)));
  return [true, false].map((isFirst) => ({
    observations: observations.filter(({ package_key }) => first.has(package_key) === isFirst),
    details,
  }));
}
