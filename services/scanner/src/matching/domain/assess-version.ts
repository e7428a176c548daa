import {
  evaluate,
  type MatchReason,
  type OsvRecord,
  type PackageVersion,
  type UndeterminedReason,
} from '@bomtrail/osv';

/** An advisory that affects a package version. */
export interface Match {
  /** The advisory's id. */
  id: string;
  /** Its alias group. */
  group: string;
  /** Indices of the entries of the record's `affected` that matched. */
  affected: number[];
  /** Fixed versions above the assessed version, ascending. */
  fixed: string[];
  /** Why it matched. */
  reason: MatchReason;
}

/** Result of matching one package version against the advisories of its package. */
export interface Assessment {
  /** By advisory id, ascending. */
  matches: Match[];
  /** Why an advisory of the package could not be decided; null when all were decided. */
  undetermined: UndeterminedReason | null;
  /** Ids of undecided advisories, sorted, at most `maxUndecided`; absent when empty. */
  undecided?: string[];
}

/** A Linux kernel without a release has thousands. */
export const maxUndecided = 1000;

/**
 * An assessment with the number of its matches only; the matches of a large set do not fit in
 * memory.
 */
export type AssessmentSummary = Omit<Assessment, 'matches'> & {
  matches: { readonly length: number };
};

/** A parsed advisory with its alias group. */
export interface GroupedAdvisory {
  group: string;
  record: OsvRecord;
}

/** A purl of type `github` does not prove that the component is an action (M47). */
export const GITHUB_ACTIONS = 'GitHub Actions';

/** Shared by the many package versions without matches. */
export const cleanAssessment: Assessment = { matches: [], undetermined: null };

/** Assesses one package version; advisories are passed one at a time. */
export interface Assessor {
  /** Returns whether the advisory affects the package version. */
  consider(advisory: GroupedAdvisory): boolean;
  end(): Assessment;
}

/**
 * Assesses a package version by the advisories of its package, in any order.
 * Rule M47: a purl of type `github` may name any repository. If no GitHub Actions advisory names
 * it, it counts as an unknown action.
 */
export function createAssessor(version: PackageVersion): Assessor {
  const matches: Match[] = [];
  const undecided: string[] = [];
  let undetermined: UndeterminedReason | null =
    version.ecosystem === GITHUB_ACTIONS ? 'unknown_action' : null;
  return {
    consider({ group, record }) {
      if (undetermined === 'unknown_action') undetermined = null;
      const verdict = evaluate(record, version);
      if (verdict.status === 'undetermined') {
        undecided.push(record.id);
        if ((undetermined ?? '~') > verdict.reason) undetermined = verdict.reason;
      }
      if (verdict.status !== 'affected') return false;
      const { affected, fixedVersions, reason } = verdict;
      matches.push({ id: record.id, group, affected, fixed: fixedVersions, reason });
      return true;
    },
    end() {
      if (matches.length === 0 && undetermined === null) return cleanAssessment;
      const named = [...new Set(undecided)].sort().slice(0, maxUndecided);
      return {
        matches: matches.sort((a, b) => (a.id < b.id ? -1 : 1)),
        undetermined,
        ...(named.length > 0 && { undecided: named }),
      };
    },
  };
}

/** Assesses a package version by a list of advisories. */
export function assessVersion(
  version: PackageVersion,
  advisories: readonly GroupedAdvisory[],
): Assessment {
  const assessor = createAssessor(version);
  for (const advisory of advisories) assessor.consider(advisory);
  return assessor.end();
}

/** Whether two assessments are equal. */
export function sameAssessment(a: Assessment, b: Assessment): boolean {
  return (
    a.undetermined === b.undetermined &&
    sameUndecided(a, b) &&
    a.matches.length === b.matches.length &&
    a.matches.every((match, index) => sameMatch(match, b.matches[index]))
  );
}

/** Whether two assessments have the same undecided advisories. */
export function sameUndecided(a: Assessment, b: Assessment): boolean {
  return (a.undecided ?? []).join('\n') === (b.undecided ?? []).join('\n');
}

function sameMatch(a: Match, b: Match | undefined): boolean {
  return (
    b !== undefined &&
    a.id === b.id &&
    a.group === b.group &&
    a.affected.join() === b.affected.join() &&
    a.fixed.join('\n') === b.fixed.join('\n') &&
    sameReason(a.reason, b.reason)
  );
}

function sameReason(a: MatchReason, b: MatchReason): boolean {
  return a.rule === b.rule && a.entry === b.entry && a.range === b.range;
}
