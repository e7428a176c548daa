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
  /** Fixed versions above the version at hand, ascending. */
  fixed: string[];
  /** Why it matched. */
  reason: MatchReason;
}

/** What the advisories say about one package version. */
export interface Assessment {
  /** By advisory id, ascending. */
  matches: Match[];
  /** Why an advisory of the package could not be decided; null when all of them were. */
  undetermined: UndeterminedReason | null;
  /** The advisories that could not be decided, sorted, `maxUndecided` at most; absent where there are none. */
  undecided?: string[];
}

/** A kernel without a release has thousands. */
export const maxUndecided = 1000;

/** An assessment without its matches, of which a big set has more than memory holds. */
export type AssessmentSummary = Omit<Assessment, 'matches'> & {
  matches: { readonly length: number };
};

/** An advisory as the rules read it. */
export interface GroupedAdvisory {
  group: string;
  record: OsvRecord;
}

/** The ecosystem of which a component's purl does not say that it is of it (M47). */
export const GITHUB_ACTIONS = 'GitHub Actions';

/** The same object for all of the many package versions that nothing is known against. */
export const cleanAssessment: Assessment = { matches: [], undetermined: null };

/** An assessment on its way: the advisories of the package come one after the other. */
export interface Assessor {
  /** Whether it matches. */
  consider(advisory: GroupedAdvisory): boolean;
  end(): Assessment;
}

/**
 * Judges a package version by the advisories of its package; their order makes no difference.
 *
 * Rule M47: a purl of type `github` may name any repository. One that no advisory of GitHub Actions
 * names is no known action, so that nothing is said of it.
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

/** The same for advisories that are all at hand. */
export function assessVersion(
  version: PackageVersion,
  advisories: readonly GroupedAdvisory[],
): Assessment {
  const assessor = createAssessor(version);
  for (const advisory of advisories) assessor.consider(advisory);
  return assessor.end();
}

/** Do two assessments say the same? */
export function sameAssessment(a: Assessment, b: Assessment): boolean {
  return (
    a.undetermined === b.undetermined &&
    sameUndecided(a, b) &&
    a.matches.length === b.matches.length &&
    a.matches.every((match, index) => sameMatch(match, b.matches[index]))
  );
}

/** Do two assessments leave the same advisories undecided? */
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
