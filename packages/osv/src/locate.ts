import { fullName, parsePurl } from '@bomtrail/purl';
import type { PackageUrl } from '@bomtrail/purl';
import { MATCHED_ECOSYSTEMS, normaliseName } from './ecosystems';
import type { PackageVersion } from './package-key';
import { normaliseSuffix } from './registry';
import { versionText } from './version-text';

/**
 * Why a component could not be judged. `release_unknown`: an advisory holds for a release or a
 * registry that the component does not name (or the other way round).
 */
export type UndeterminedReason =
  'no_purl' | 'no_version' | 'unknown_ecosystem' | 'unreadable_version' | 'release_unknown';

export type Located =
  | { kind: 'package'; package: PackageVersion }
  | { kind: 'undetermined'; reason: UndeterminedReason };

/** purl type → OSV ecosystem, for the ecosystems that are matched (matching guide, section 4). */
const ECOSYSTEM_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['pypi', 'PyPI'],
  ['golang', 'Go'],
  ['cargo', 'crates.io'],
  ['maven', 'Maven'],
  ['gem', 'RubyGems'],
  ['nuget', 'NuGet'],
  ['composer', 'Packagist'],
]);

/** What tools write in the place of a version that they did not find. */
const NO_VERSION: ReadonlySet<string> = new Set([
  '',
  'unknown',
  'unspecified',
  'noassertion',
  'none',
  'null',
  'undefined',
]);

/**
 * Which package version a component is, for matching: the purl decides the ecosystem, the name and
 * the version; the component's own version counts where the purl has none. Gives a reason where
 * that cannot be said; a version that only the comparer finds unreadable is a package all the same,
 * because an advisory can still name it literally.
 */
export function locate(component: { purl: string | null; version: string }): Located {
  const purl = component.purl === null ? null : parsePurl(component.purl);
  if (purl === null) return undetermined('no_purl');

  const ecosystem = ECOSYSTEM_OF_TYPE.get(purl.type);
  if (ecosystem === undefined || !MATCHED_ECOSYSTEMS.includes(ecosystem)) {
    return undetermined('unknown_ecosystem');
  }

  const version = versionText(ecosystem, purl.version ?? component.version);
  if (NO_VERSION.has(version.toLowerCase())) return undetermined('no_version');
  // A build variable that was never filled in; Maven's order would place it, wrongly.
  if (version.includes('${')) return undetermined('unreadable_version');

  const name = normaliseName(ecosystem, fullName(purl));
  return {
    kind: 'package',
    package: { ecosystem, suffix: suffixOf(ecosystem, purl), name, version },
  };
}

/** Only these two have registries of their own in OSV's ecosystem names. */
function suffixOf(ecosystem: string, purl: PackageUrl): string | null {
  if (ecosystem !== 'Maven' && ecosystem !== 'Packagist') return null;
  return normaliseSuffix(ecosystem, purl.qualifiers.repository_url ?? null);
}

function undetermined(reason: UndeterminedReason): Located {
  return { kind: 'undetermined', reason };
}
