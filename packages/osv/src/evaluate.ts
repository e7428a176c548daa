import { compareIn } from './compare-versions';
import { isDistribution, lowerCaseAlias, normaliseName } from './ecosystems';
import { fixedVersions } from './fixed-versions';
import type { UndeterminedReason } from './locate';
import type { PackageVersion } from './package-key';
import { withPrereleases } from './prerelease-marker';
import type { Compare } from './range';
import { rangeContainsForCertain } from './range-by-convention';
import type { OsvAffected, OsvRange, OsvRecord } from './record';
import { normaliseSuffix } from './registry';
import { suffixFit } from './release-fit';
import { listsEqual } from './version-list';

export type MatchRule = 'version_listed' | 'version_equal' | 'range';

/** The part of an advisory that matched a package version. */
export interface MatchReason {
  /** The strongest matching rule, in the order of the type. */
  rule: MatchRule;
  /** Index in `affected` of the first entry that matched by that rule. */
  entry: number;
  /** Index in the entry's `ranges` of the first matching range; null for a list. */
  range: number | null;
}

export type Verdict =
  | {
      status: 'affected';
      reason: MatchReason;
      /** Indices in `affected` of the matching entries, ascending. */
      affected: number[];
      /** The package's fixed versions above the evaluated version, ascending, distinct. */
      fixedVersions: string[];
    }
  | { status: 'not_affected' }
  | { status: 'undetermined'; reason: UndeterminedReason };

/** An entry for the evaluated package. */
interface FittingEntry {
  index: number;
  entry: OsvAffected;
  fit: 'yes' | 'unknown';
}

type EntryVerdict = { rule: MatchRule; range: number | null } | UndeterminedReason | 'no';

const NOT_AFFECTED: Verdict = { status: 'not_affected' };

/** Strongest first. */
const RULES: readonly MatchRule[] = ['version_listed', 'version_equal', 'range'];

/**
 * Decides whether an advisory affects a package version.
 *
 * - M1: it does when any entry of `affected` for the package lists the version or has a range that
 *   contains it. `versions` and `ranges` are alternatives, and so are several entries.
 * - M5: ranges of type GIT need a commit graph and are ignored.
 * - M6: the ecosystem decides the comparer, not the range's type.
 * - M7: an entry without readable ranges and without versions is ignored.
 * - M8: a withdrawn record affects nothing.
 * - M9: a listed version matches as text first, then by the comparer.
 * - M10, M11, M40: see `rangeContains` and `rangeContainsForCertain`. An unreadable version that is
 *   not listed is undetermined.
 * - M14, M23 to M28: registries and releases, see `suffixFit`. If the version would be affected but
 *   the entry's registry or release may not be the component's, it is undetermined
 *   (`release_unknown`).
 * - M31: in a distribution, entries for the component's own release take precedence; entries that
 *   may apply count only without them.
 *
 * Source: OSV schema 1.7.5, "Evaluation"; matching guide, section 1.
 */
export function evaluate(record: OsvRecord, pkg: PackageVersion): Verdict {
  if (record.withdrawn !== null) return NOT_AFFECTED;
  const entries = entriesFor(record, pkg);
  if (entries.length === 0) return NOT_AFFECTED;
  const decision = decide(entries, pkg);
  if (decision.status !== 'affected') return decision;
  const { reason, affected } = decision;
  const compare = compareIn(pkg.ecosystem);
  const sure = entries.flatMap(({ entry, fit }) => (fit === 'yes' ? [entry] : []));
  const isAffected = (version: string): boolean =>
    sure.some((entry) => typeof judgeVersion(entry, { ...pkg, version }, compare) === 'object');
  const fixes = compare === undefined ? [] : fixedVersions(sure, pkg, { compare, isAffected });
  return { status: 'affected', reason, affected, fixedVersions: fixes };
}

/** The status that `evaluate` gives, without its fixed versions, which cost most of the time. */
export function evaluateStatus(record: OsvRecord, pkg: PackageVersion): Verdict['status'] {
  if (record.withdrawn !== null) return 'not_affected';
  return decide(entriesFor(record, pkg), pkg).status;
}

type Decision =
  | Omit<Extract<Verdict, { status: 'affected' }>, 'fixedVersions'>
  | Exclude<Verdict, { status: 'affected' }>;

function decide(entries: readonly FittingEntry[], pkg: PackageVersion): Decision {
  const compare = compareIn(pkg.ecosystem);
  const affected: number[] = [];
  let reason: MatchReason | null = null;
  let undecided: UndeterminedReason | null = null;
  for (const { index, entry, fit } of entries) {
    const verdict = judgeVersion(entry, pkg, compare);
    if (verdict === 'no') continue;
    if (typeof verdict === 'string') undecided ??= verdict;
    else if (fit === 'unknown') undecided ??= unknownFit(pkg);
    else {
      affected.push(index);
      const isStronger =
        reason === null || RULES.indexOf(verdict.rule) < RULES.indexOf(reason.rule);
      if (isStronger) reason = { rule: verdict.rule, entry: index, range: verdict.range };
    }
  }
  if (reason !== null) return { status: 'affected', reason, affected };
  return undecided === null ? NOT_AFFECTED : { status: 'undetermined', reason: undecided };
}

function unknownFit({ ecosystem }: PackageVersion): UndeterminedReason {
  return ecosystem === 'Go' ? 'module_unknown' : 'release_unknown';
}

function entriesFor(record: OsvRecord, pkg: PackageVersion): FittingEntry[] {
  const entries: FittingEntry[] = [];
  let isSure = false;
  for (const [index, entry] of record.affected.entries()) {
    const fit = packageFit(entry, pkg);
    if (fit === 'no') continue;
    entries.push({ index, entry, fit });
    isSure ||= fit === 'yes';
  }
  const decidesAlone = isSure && isDistribution(pkg.ecosystem);
  return decidesAlone ? entries.filter(({ fit }) => fit === 'yes') : entries;
}

function packageFit(entry: OsvAffected, pkg: PackageVersion): 'yes' | 'no' | 'unknown' {
  if (entry.package === null) return 'no';
  const { ecosystem, name } = entry.package;
  const base = pkg.ecosystem;
  if (!ecosystem.startsWith(base)) return 'no';
  const hasSuffix = ecosystem.length > base.length;
  if (hasSuffix && ecosystem[base.length] !== ':') return 'no';
  if (!isNamed(name, pkg)) return 'no';
  const suffix = hasSuffix ? ecosystem.slice(base.length + 1) : null;
  return suffixFit(normaliseSuffix(base, suffix), pkg);
}

function isNamed(name: string, { ecosystem, name: own }: PackageVersion): boolean {
  if (name === own || normaliseName(ecosystem, name) === own) return true;
  return lowerCaseAlias(ecosystem, name) === own;
}

function judgeVersion(
  entry: OsvAffected,
  { ecosystem, version }: Pick<PackageVersion, 'ecosystem' | 'version'>,
  compare: Compare | undefined,
): EntryVerdict {
  const { versions, ranges } = entry;
  if (versions.includes(version)) return { rule: 'version_listed', range: null };
  const saysNothing = versions.length === 0 && !ranges.some(isComparable);
  if (saysNothing) return 'no';
  if (compare === undefined) return 'unknown_ecosystem';

  if (listsEqual(versions, version, { ecosystem, compare })) {
    return { rule: 'version_equal', range: null };
  }
  let isUnreadable = versions.length > 0 && compare(version, version) === null;
  for (const [index, range] of ranges.entries()) {
    if (!isComparable(range)) continue;
    const read = withPrereleases(range, version, ecosystem);
    const contained = rangeContainsForCertain(read, version, { ecosystem, compare });
    if (contained === 'yes') return { rule: 'range', range: index };
    isUnreadable ||= contained === 'unknown';
  }
  return isUnreadable ? 'unreadable_version' : 'no';
}

function isComparable(range: OsvRange): boolean {
  return range.type !== 'GIT';
}
