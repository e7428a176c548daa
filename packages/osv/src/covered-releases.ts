import { readRelease } from './component-release';
import { isDistribution, splitEcosystem } from './ecosystems';
import type { PackageVersion } from './package-key';
import { isRollingRelease, suseReleaseOf } from './release-fit';

/** Releases covered by an advisory that names none. */
const EVERY_RELEASE = '*';

/**
 * Rule M33: a release of a distribution counts as covered only if some advisory names it; feeds
 * omit releases that ended or preceded them. Returns the key by which the releases of advisories
 * and components are compared: `<ecosystem>:<release>`, the ecosystem alone where releases do not
 * matter, `<ecosystem>:*` for all releases. Null when the advisory's release is unknown.
 *
 * Minor releases of Red Hat and openEuler are merged (`9` for `9.2`, `22.03` for `22.03-SP1`).
 *
 * @param ecosystem as in an advisory, e.g. `Debian:12`
 */
export function releaseOfAdvisory(ecosystem: string): string | null {
  const { base, suffix } = splitEcosystem(ecosystem);
  if (!isDistribution(base)) return base;
  if (suffix === null) return `${base}:${EVERY_RELEASE}`;
  const release = readSuffix(base, suffix.toLowerCase());
  return release === null ? null : `${base}:${whole(base, release)}`;
}

/** The release key of a component's package version; see `releaseOfAdvisory`. */
export function releaseOfComponent(version: Pick<PackageVersion, 'ecosystem' | 'suffix'>): string {
  const { ecosystem, suffix } = version;
  if (!isDistribution(ecosystem) || suffix === null || isRollingRelease(suffix)) return ecosystem;
  return `${ecosystem}:${whole(ecosystem, suffix)}`;
}

/**
 * Whether any advisory of a feed covers a release.
 *
 * @param release result of `releaseOfComponent`
 * @param releases results of `releaseOfAdvisory`
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
