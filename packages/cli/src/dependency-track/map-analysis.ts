import { cut } from '../output/clean-text';
import type { DtAnalysis, DtFinding } from './model';

type Decision = 'risk_accepted' | 'not_affected' | 'false_positive' | 'in_triage';
type Justification =
  | 'vulnerable_code_not_present'
  | 'vulnerable_code_not_in_execute_path'
  | 'vulnerable_code_cannot_be_controlled_by_adversary'
  | 'inline_mitigations_already_exist';

/** What an analysis becomes. */
export interface MappedDecision {
  decision: Decision;
  /** Of `not_affected` only. */
  justification: Justification | null;
  reason: string;
  detail: string | null;
}

const maxReason = 2000;
const maxDetail = 10_000;

const DECISIONS: Readonly<Record<string, Decision>> = {
  NOT_AFFECTED: 'not_affected',
  FALSE_POSITIVE: 'false_positive',
  RESOLVED: 'not_affected',
  IN_TRIAGE: 'in_triage',
};

/** The words are CycloneDX's in upper case, mapped as in `packages/vex/src/mapping.ts`. */
const JUSTIFICATIONS: Readonly<Record<string, Justification>> = {
  CODE_NOT_PRESENT: 'vulnerable_code_not_present',
  CODE_NOT_REACHABLE: 'vulnerable_code_not_in_execute_path',
  REQUIRES_CONFIGURATION: 'vulnerable_code_cannot_be_controlled_by_adversary',
  REQUIRES_DEPENDENCY: 'vulnerable_code_cannot_be_controlled_by_adversary',
  REQUIRES_ENVIRONMENT: 'vulnerable_code_cannot_be_controlled_by_adversary',
  PROTECTED_BY_COMPILER: 'inline_mitigations_already_exist',
  PROTECTED_AT_RUNTIME: 'inline_mitigations_already_exist',
  PROTECTED_AT_PERIMETER: 'inline_mitigations_already_exist',
  PROTECTED_BY_MITIGATING_CONTROL: 'inline_mitigations_already_exist',
};

/** Whether somebody analysed a finding. */
export function isAnalysed({ analysis }: DtFinding): boolean {
  const { state = 'NOT_SET', isSuppressed = false } = analysis ?? {};
  return isSuppressed || state !== 'NOT_SET';
}

/**
 * The decision of an analysis (docs/rules.md IM4); null if it decides nothing: `EXPLOITABLE` and `NOT_SET` without a
 * suppression.
 *
 * @param trail null: not readable; then what the finding says
 */
export function mapAnalysis(finding: DtFinding, trail: DtAnalysis | null): MappedDecision | null {
  const state = trail?.analysisState ?? finding.analysis?.state ?? 'NOT_SET';
  const isSuppressed = trail?.isSuppressed ?? finding.analysis?.isSuppressed ?? false;
  const stated = DECISIONS[state] ?? null;
  // A suppression hides the finding, whatever its state; what is in triage is hidden on purpose.
  const hides = stated !== null && stated !== 'in_triage';
  const decision = isSuppressed && !hides ? 'risk_accepted' : stated;
  if (decision === null) return null;
  const details = (trail?.analysisDetails ?? finding.analysis?.detail ?? '').trim();
  const comments = (trail?.analysisComments ?? []).flatMap(commentText);
  const how = `${state}${isSuppressed ? ', suppressed' : ''}`;
  return {
    decision,
    justification:
      decision === 'not_affected'
        ? (JUSTIFICATIONS[trail?.analysisJustification ?? ''] ?? null)
        : null,
    reason: cut(details === '' ? `Imported from Dependency-Track: ${how}.` : details, maxReason),
    detail: cut([`Dependency-Track: ${how}`, ...comments].join('\n'), maxDetail),
  };
}

function commentText(given: {
  timestamp?: number;
  comment?: string;
  commenter?: string;
}): string[] {
  if (!given.comment?.trim()) return [];
  const at = given.timestamp === undefined ? '' : `${new Date(given.timestamp).toISOString()} `;
  return [`${at}${given.commenter ?? 'unknown'}: ${given.comment.trim()}`];
}
