import * as messages from '@bomtrail/messages';
import { AppError, type AlertThreshold, type FindingCounts } from '@bomtrail/messages';
import type { Caller } from '../domain/caller';
import { coverageView, type CoverageView } from '../domain/coverage-view';
import { judgeAdvisories } from '../domain/readiness';
import { judge, type Judged } from '../domain/verdict';
import {
  attached,
  readSbomRecord,
  settledRecord,
  type ReadSbomDetailDeps,
  type Wait,
} from './read-sbom';

/** What stops the gate, and for how long its scan is waited for. */
export interface Gate {
  sbom_id: string;
  fail_on: AlertThreshold;
  only_new: boolean;
  wait: Wait;
}

export interface JudgeSbomDeps extends ReadSbomDetailDeps {
  /** On what advisories the product stands. */
  feeds: () => Promise<Parameters<typeof judgeAdvisories>[0]>;
}

/** A verdict with what it stands on. `failing`: gzip'd JSON array, worst first; null: none. */
export interface JudgedSbom extends Judged {
  record: messages.SbomRecord;
  previous: messages.SbomRecord | null;
  found: FindingCounts | null;
  failing: Uint8Array | null;
  coverage: CoverageView | null;
  advisoryData: messages.AdvisoryData;
  oldestAgeSeconds: number | null;
}

/**
 * Whether an SBOM may pass a gate.
 *
 * @throws AppError `sbom_not_found`, `service_unavailable`
 */
export async function judgeSbom(
  deps: JudgeSbomDeps,
  caller: Caller,
  gate: Gate,
): Promise<JudgedSbom> {
  const record = await settledRecord(deps, caller, gate);
  const { sbom_id } = gate;
  const [coverage, before, feeds] = await Promise.all([
    deps.request(messages.readCoverage, { digest: record.digest }),
    deps.request(messages.findPreviousSbom, { sbom_id }),
    deps.feeds(),
  ]);
  const { previous } = before.body;
  const counted =
    record.scan_status === 'scanned' ? await count(deps, caller, { record, previous, gate }) : null;
  const known = {
    scan: { status: record.scan_status, error: record.scan_error ?? null },
    coverage: coverageView(coverage.body.coverage),
    found: counted?.body ?? null,
    // Without it nothing is known to stand on the advisories of now.
    revision: coverage.body.revision ?? Number.POSITIVE_INFINITY,
    previous: standing(previous),
    fail_on: gate.fail_on,
    only_new: gate.only_new,
  };
  return {
    ...judge(known),
    ...{ record, previous, found: known.found, coverage: known.coverage },
    failing: counted && attached(counted.attachment),
    advisoryData: coverage.body.advisory_data,
    oldestAgeSeconds: judgeAdvisories(feeds).oldest_age_seconds,
  };
}

function standing(previous: messages.SbomRecord | null): 'none' | 'pending' | 'scanned' {
  if (!previous) return 'none';
  return previous.scan_status === 'scanned' ? 'scanned' : 'pending';
}

async function count(
  deps: JudgeSbomDeps,
  caller: Caller,
  {
    record,
    previous,
    gate,
  }: {
    record: messages.SbomRecord;
    previous: messages.SbomRecord | null;
    gate: Gate;
  },
) {
  const state = standing(previous);
  const compared = previous && { sbom_id: previous.id, digest: previous.digest };
  try {
    return await deps.request(messages.countFindings, {
      line_id: record.line_id,
      sbom: { sbom_id: record.id, digest: record.digest },
      previous: state === 'scanned' && compared ? compared : state === 'none' ? 'none' : 'unknown',
      fail_on: gate.fail_on,
      only_new: gate.only_new,
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'sbom_not_found') throw error;
    // Where it is not this one that is gone, it was the other: there is another version before it now.
    await readSbomRecord(deps, caller, gate.sbom_id);
    throw new AppError('service_unavailable', 'The version before was deleted. Ask again.');
  }
}
