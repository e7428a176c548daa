import { z } from 'zod';
import { rpc } from '../define';
import type { DecisionKind } from './acceptances';
import { digest, id, type SeverityCounts } from './fields';
import { alertThresholds, type AlertThreshold } from './notifier';
import { manyFindingsMs, type BriefVulnerability } from './reconciler';

/** Maximum vulnerabilities returned with a gate's verdict. */
export const maxFailingReturned = 100;

/** A vulnerability that fails a gate. `is_new`: the baseline does not contain it; null: unknown. */
export type FailingVulnerability = BriefVulnerability & {
  is_new: boolean | null;
  /** The rules that it breaks. */
  failed_rules: FailedRule[];
};

/** The lowest severity that fails a gate; `none`: severities do not. */
export type GateThreshold = AlertThreshold | 'none';

/** Rules of a gate. */
export const failedRules = ['fail_on', 'fail_on_kev', 'max_epss'] as const;
export type FailedRule = (typeof failedRules)[number];

/**
 * Counts for a gate over one SBOM, each tracked vulnerability once. Those that a decision takes out of
 * the active list count in `decided` only; `accepted` is the number of accepted risks.
 */
export interface FindingCounts {
  counts: SeverityCounts;
  /**
   * Vulnerabilities that the baseline does not contain; all if there is no baseline; null: unknown.
   */
  new_counts: SeverityCounts | null;
  accepted: number;
  /** Vulnerabilities by the decision that applies; `in_triage` ones are in `counts`, too. */
  decided: Record<DecisionKind, number>;
  failing: number;
  /** Failing vulnerabilities by the rule that they break; one may break several. */
  failing_by_rule: Record<FailedRule, number>;
  /** Advisory revision of the findings of both SBOMs. */
  revision: number;
  /**
   * Findings of current advisories that the stored state does not reflect yet: without a tracked
   * vulnerability (not counted), or tracked under another alias group.
   */
  untracked: number;
}

/** An SBOM with its component set. */
export const serviceSbom = z.object({ sbom_id: id, digest });

/**
 * The rule of a gate. `only_new`: only vulnerabilities that the baseline does not contain fail it; `only_fixable`: only
 * those with a known fix. Known exploitation, and an EPSS score above `max_epss`, fail it whatever the severity.
 */
export const gateRule = z.object({
  fail_on: z.enum([...alertThresholds, 'none']),
  only_new: z.boolean(),
  fail_on_kev: z.boolean().optional(),
  max_epss: z.number().min(0).max(1).optional(),
  only_fixable: z.boolean().optional(),
});
export type GateRule = z.infer<typeof gateRule>;

/**
 * Counts vulnerabilities that fail a gate at `fail_on`: all, or only those that the `baseline` does
 * not contain. Reads both SBOMs in one snapshot. Attachment of the response: gzip'd JSON array of
 * the worst `maxFailingReturned` as `FailingVulnerability`. Fails with `sbom_not_found` if one of
 * them is gone.
 */
export const countFindings = rpc<FindingCounts>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'count-findings.v1',
  request: gateRule.extend({
    service_id: id,
    sbom: serviceSbom,
    /** `unknown`: the baseline is not scanned yet. */
    baseline: z.union([serviceSbom, z.literal('none'), z.literal('unknown')]),
  }),
  timeoutMs: manyFindingsMs,
});
