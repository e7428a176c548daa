import * as messages from '@bomtrail/messages';
import { AppError, type FindingCounts } from '@bomtrail/messages';
import type { Caller } from '../api-keys/domain/caller';
import { coverageView, type CoverageView } from '../sboms/domain/coverage-view';
import { judgeAdvisories } from '../readiness/domain/readiness';
import { judge, type Judged } from './domain/verdict';
import { judgeLicenses, type LicenseResult } from './judge-licenses';
import { qualityOfGate, type QualityResult } from './read-quality';
import {
  attached,
  readSbomRecord,
  finishedRecord,
  retainedRecord,
  type ReadSbomDetailDeps,
  type Wait,
} from '../sboms/read-sbom';

const lastPassed = 'last-passed';

/** Input of a gate. */
export interface Gate {
  sbom_id: string;
  fail_on: messages.GateThreshold;
  only_new: boolean;
  fail_on_kev: boolean;
  max_epss?: number | undefined;
  only_fixable: boolean;
  fail_on_license: boolean;
  min_quality?: number | undefined;
  /** `last-passed`, `none`, or the version or id of another SBOM of the service. */
  baseline: string;
  wait: Wait;
}

export interface JudgeSbomDeps extends ReadSbomDetailDeps {
  /** Current advisory data status. */
  feeds: () => Promise<
    Parameters<typeof judgeAdvisories>[0] & { risk_feeds: messages.RiskFeedView[] }
  >;
}

/** A verdict with its facts. `failing`: gzip'd JSON array, most severe first; null: none. */
export interface JudgedSbom extends Judged {
  record: messages.SbomRecord;
  baseline: messages.SbomRecord | null;
  found: FindingCounts | null;
  failing: Uint8Array | null;
  coverage: CoverageView | null;
  /** null: the gate has no such rule. */
  licenses: LicenseResult | null;
  /** null: the gate has no such rule. */
  quality: QualityResult | null;
  advisoryData: messages.AdvisoryData;
  oldestAgeSeconds: number | null;
}

/**
 * Evaluates a gate. A final verdict is stored, because it determines later baselines.
 *
 * @throws AppError `sbom_not_found`, `document_expired`, `baseline_not_found`,
 *   `service_unavailable`
 */
export async function judgeSbom(
  deps: JudgeSbomDeps,
  caller: Caller,
  gate: Gate,
): Promise<JudgedSbom> {
  const record = retainedRecord(await finishedRecord(deps, caller, gate));
  const [coverage, baseline, feeds, licenses, quality] = await Promise.all([
    deps.request(messages.readCoverage, { digest: record.digest }),
    findBaseline(deps, gate),
    deps.feeds(),
    judgeLicenses(deps, gate, { projectId: record.project_id, components: record.digest }),
    qualityOfGate(deps, gate, record.sha256),
  ]);
  const counted =
    record.scan_status === 'scanned' ? await count(deps, caller, { record, baseline, gate }) : null;
  const known = {
    scan: { status: record.scan_status, error: record.scan_error ?? null },
    coverage: coverageView(coverage.body.coverage),
    found: counted?.body ?? null,
    // Without a revision the findings cannot be known to be current.
    revision: coverage.body.revision ?? Number.POSITIVE_INFINITY,
    baseline: stateOf(baseline),
    fail_on: gate.fail_on,
    only_new: gate.only_new,
    riskFeeds: neededFeeds(feeds.risk_feeds, gate),
    licenses,
    quality: quality && { min: gate.min_quality ?? 0, found: quality },
  };
  const judged = judge(known);
  await storeOutcome(deps, { record, gate, judged: { ...judged, found: known.found } });
  return {
    ...judged,
    record,
    baseline,
    found: known.found,
    coverage: known.coverage,
    licenses,
    quality,
    failing: counted && attached(counted.attachment),
    advisoryData: coverage.body.advisory_data,
    oldestAgeSeconds: judgeAdvisories(feeds).oldest_age_seconds,
  };
}

async function findBaseline(
  { request }: JudgeSbomDeps,
  { sbom_id, fail_on, baseline }: Gate,
): Promise<messages.SbomRecord | null> {
  if (baseline === 'none') return null;
  const named = baseline === lastPassed ? null : baseline;
  const query = { sbom_id, fail_on: baselineThreshold(fail_on), named };
  return (await request(messages.findBaseline, query)).body.baseline;
}

/** The threshold of the default baseline: every gate by severity that was passed is as strict as none. */
export function baselineThreshold(failOn: messages.GateThreshold): messages.AlertThreshold {
  return failOn === 'none' ? 'critical' : failOn;
}

/**
 * A pass makes the SBOM a baseline. Only a fail with `only_new` against the default baseline
 * withdraws that: other gates may fail for vulnerabilities that the default gate accepts.
 */
async function storeOutcome(
  { request }: JudgeSbomDeps,
  {
    record,
    gate,
    judged,
  }: {
    record: messages.SbomRecord;
    gate: Gate;
    judged: Judged & { found: FindingCounts | null };
  },
): Promise<void> {
  const { fail_on } = gate;
  // Such gates pass what the default one does not.
  if (gate.only_fixable || fail_on === 'none') return;
  const passed = judged.verdict === 'pass';
  // Licences and quality alone say nothing about the vulnerabilities that later SBOMs are compared with.
  const withdraws =
    judged.verdict === 'fail' &&
    (judged.found?.failing ?? 0) > 0 &&
    gate.only_new &&
    gate.baseline === lastPassed;
  const isNews = passed
    ? !record.gate_passed.includes(fail_on)
    : withdraws && record.gate_passed.length > 0;
  if (isNews) await request(messages.recordGateOutcome, { sbom_id: record.id, fail_on, passed });
}

/** The risk feeds that a rule of the gate needs. */
export function neededFeeds(
  feeds: readonly messages.RiskFeedView[],
  { fail_on_kev, max_epss }: Pick<Gate, 'fail_on_kev' | 'max_epss'>,
): messages.RiskFeedView[] {
  const needed = { kev: fail_on_kev, epss: max_epss !== undefined };
  return feeds.filter(({ feed }) => needed[feed]);
}

/** Whether there is a baseline, and whether its findings are known. */
export function stateOf(baseline: messages.SbomRecord | null): 'none' | 'pending' | 'scanned' {
  if (!baseline) return 'none';
  return baseline.scan_status === 'scanned' ? 'scanned' : 'pending';
}

async function count(
  deps: JudgeSbomDeps,
  caller: Caller,
  {
    record,
    baseline,
    gate,
  }: {
    record: messages.SbomRecord;
    baseline: messages.SbomRecord | null;
    gate: Gate;
  },
) {
  const state = stateOf(baseline);
  const compared = baseline && { sbom_id: baseline.id, digest: baseline.digest };
  try {
    return await deps.request(messages.countFindings, {
      service_id: record.service_id,
      sbom: { sbom_id: record.id, digest: record.digest },
      baseline: state === 'scanned' && compared ? compared : state === 'none' ? 'none' : 'unknown',
      fail_on: gate.fail_on,
      only_new: gate.only_new,
      fail_on_kev: gate.fail_on_kev,
      ...(gate.max_epss === undefined ? {} : { max_epss: gate.max_epss }),
      only_fixable: gate.only_fixable,
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'sbom_not_found') throw error;
    // If this SBOM still exists, the baseline was deleted; another one applies now.
    await readSbomRecord(deps, caller, gate.sbom_id);
    throw new AppError('service_unavailable', 'The baseline was just deleted: repeat the request.');
  }
}
