import { readRelease } from './component-release';
import { isDistribution, splitEcosystem } from './ecosystems';
import type { PackageVersion } from './package-key';
import { isRollingRelease, suseReleaseOf } from './release-fit';

/** What an advisory that names no release of its distribution says something about. */
const EVERY_RELEASE = '*';

/**
 * Rule M33: of a distribution's release of which no advisory is held nothing is known, whatever is
 * held of other releases. Feeds do not speak of releases that came before them or that have ended.
 * This is the text by which the releases that a feed speaks of and those of components are compared:
 * `<ecosystem>:<release>`, the ecosystem alone where releases make no difference, `<ecosystem>:*` for
 * an advisory that holds for all releases. Null for an advisory of which nobody can say whose it is.
 *
 * The releases of Red Hat and openEuler are taken whole (`9` for `9.2`, `22.03` for `22.03-SP1`).
 *
 * @param ecosystem as an advisory names it, e.g. `Debian:12`
 */
export function releaseOfAdvisory(ecosystem: string): string | null {
  const { base, suffix } = splitEcosystem(ecosystem);
  if (!isDistribution(base)) return base;
  if (suffix === null) return `${base}:${EVERY_RELEASE}`;
  const release = readSuffix(base, suffix.toLowerCase());
  return release === null ? null : `${base}:${whole(base, release)}`;
}

/** The text for a component's package version; see `releaseOfAdvisory`. */
export function releaseOfComponent(version: Pick<PackageVersion, 'ecosystem' | 'suffix'>): string {
  const { ecosystem, suffix } = version;
  if (!isDistribution(ecosystem) || suffix === null || isRollingRelease(suffix)) return ecosystem;
  return `${ecosystem}:${whole(ecosystem, suffix)}`;
}

/**
 * Whether any advisory of a feed can speak of a release.
 *
 * @param release of a component, as `releaseOfComponent` gives it
 * @param releases of advisories, as `releaseOfAdvisory` gives them
 */
export function isCoveredRelease(release: string, releases: readonly string[]): boolean {
  const { base, suffix } = splitEcosystem(release);
  return (
    suffix === null || releases.includes(release) || releases.includes(`${base}:${EVERY_RELEASE}`)
  );
}

function readSuffix(base: string, suffix: string): string | null {
  switch (base) {
    case 'Ubuntu':
      return /(?:^|:)(\d+\.\d+)(?::lts)?$/.exec(suffix)?.[1] ?? null;
    case 'Red Hat':
      return /^(?:enterprise_linux|rhel_[a-z0-9]+):(\d+)/.exec(suffix)?.[1] ?? null;
    case 'SUSE':
      return suseReleaseOf(suffix);
    default:
      return readRelease(base, suffix);
  }
}

function whole(base: string, release: string): string {
  if (base === 'Red Hat') return release.split('.', 1)[0] ?? release;
  if (base === 'openEuler') return release.slice(0, '22.03'.length);
  return release;
}
