import { comparerOf } from '@bomtrail/versioning';
import { normaliseName, splitEcosystem } from './ecosystems';
import type { UndeterminedReason } from './locate';
import type { PackageVersion } from './package-key';
import { holds } from './range';
import type { Answer, Compare } from './range';
import type { OsvAffected, OsvRange, OsvRecord } from './record';
import { normaliseSuffix, registriesFit } from './registry';
import { versionText } from './version-text';

export type MatchRule = 'version_listed' | 'version_equal' | 'range';

export type Verdict =
  | {
      status: 'affected';
      /** The strongest rule that matched, in the order of the type. */
      rule: MatchRule;
      /** Indices of the entries of the record's `affected` that matched, ascending. */
      affected: number[];
      /** The package's fixed versions above the version at hand, ascending, distinct. */
      fixedVersions: string[];
    }
  | { status: 'not_affected' }
  | { status: 'undetermined'; reason: UndeterminedReason };

type EntryAnswer = MatchRule | 'no' | UndeterminedReason;

/** Strongest first; the last two are what keeps a record from saying "not affected". */
const RULES: readonly MatchRule[] = ['version_listed', 'version_equal', 'range'];

/**
 * Does this advisory affect this package version?
 *
 * - M1: it does when any entry of `affected` for the same package lists the version or has a range
 *   that holds it. `versions` and `ranges` are alternatives, and so are several entries.
 * - M5: a range of type GIT needs a commit graph; it is left out by itself, not the entry.
 * - M6: the ecosystem chooses the comparer, not the range's type.
 * - M7: an entry without (readable kinds of) ranges and without versions says nothing.
 * - M8: a withdrawn record never affects anything.
 * - M9: a listed version matches as text first, then when the comparer calls it equal.
 * - M10, M11: see `holds`. An unreadable version that is not listed is undetermined.
 * - M14: see `registriesFit`.
 *
 * Source: OSV schema 1.7.5, "Evaluation"; matching guide, section 1.
 */
export function evaluate(record: OsvRecord, pkg: PackageVersion): Verdict {
  if (record.withdrawn !== null) return { status: 'not_affected' };
  const compare = compareIn(pkg.ecosystem);
  const answers = record.affected.map((entry) => judgeEntry(entry, pkg, compare));

  const rule = RULES.find((candidate) => answers.includes(candidate));
  if (rule !== undefined) {
    const affected = answers.flatMap((answer, index) => (isRule(answer) ? [index] : []));
    return {
      status: 'affected',
      rule,
      affected,
      fixedVersions: fixedVersions(record, pkg, compare),
    };
  }
  const reason = answers.find((answer) => answer !== 'no');
  return reason === undefined || isRule(reason)
    ? { status: 'not_affected' }
    : { status: 'undetermined', reason };
}

function judgeEntry(entry: OsvAffected, pkg: PackageVersion, compare: Compare | null): EntryAnswer {
  const fit = packageFit(entry, pkg);
  if (fit === 'no') return 'no';
  const answer = judgeVersion(entry, pkg, compare);
  return fit === 'unknown' && isRule(answer) ? 'release_unknown' : answer;
}

function packageFit(entry: OsvAffected, pkg: PackageVersion): Answer {
  if (entry.package === null) return 'no';
  const { base, suffix } = splitEcosystem(entry.package.ecosystem);
  if (base !== pkg.ecosystem || normaliseName(base, entry.package.name) !== pkg.name) return 'no';
  return registriesFit(normaliseSuffix(base, suffix), pkg.suffix);
}

function judgeVersion(
  entry: OsvAffected,
  { version }: PackageVersion,
  compare: Compare | null,
): EntryAnswer {
  if (entry.versions.includes(version)) return 'version_listed';
  const ranges = entry.ranges.filter(isComparable);
  const saysNothing = ranges.length === 0 && entry.versions.length === 0;
  if (saysNothing) return 'no';
  if (compare === null) return 'unknown_ecosystem';

  if (entry.versions.some((listed) => compare(listed, version) === 0)) return 'version_equal';
  const held = ranges.map((range) => holds(range, version, compare));
  if (held.includes('yes')) return 'range';
  const notFoundInList = entry.versions.length > 0 && compare(version, version) === null;
  return held.includes('unknown') || notFoundInList ? 'unreadable_version' : 'no';
}

/**
 * The fixes that every entry for the package names, above the version at hand. One that the same
 * record calls affected (another window begins there) is no fix and is left out.
 */
function fixedVersions(record: OsvRecord, pkg: PackageVersion, compare: Compare | null): string[] {
  if (compare === null) return [];
  const entries = record.affected.filter((entry) => packageFit(entry, pkg) === 'yes');
  const fixes = entries
    .flatMap((entry) => entry.ranges.filter(isComparable))
    .flatMap((range) => range.events.flatMap((event) => event.fixed ?? []))
    .filter((fix) => compare(fix, pkg.version) === 1)
    .filter((fix) => {
      const fixed = { ...pkg, version: versionText(pkg.ecosystem, fix) };
      return !entries.some((entry) => isRule(judgeVersion(entry, fixed, compare)));
    })
    .toSorted((a, b) => compare(a, b) || (a < b ? -1 : 1));
  return fixes.filter((fix, i) => i === 0 || compare(fixes[i - 1] ?? '', fix) !== 0);
}

/** Advisories write versions as people do (`v1.2`), so both sides are prepared alike. */
function compareIn(ecosystem: string): Compare | null {
  const compare = comparerOf(ecosystem);
  if (compare === undefined) return null;
  return (a, b) => compare(versionText(ecosystem, a), versionText(ecosystem, b));
}

function isComparable(range: OsvRange): boolean {
  return range.type !== 'GIT';
}

function isRule(answer: EntryAnswer): answer is MatchRule {
  return (RULES as readonly string[]).includes(answer);
}
