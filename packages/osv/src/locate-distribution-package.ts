import type { PackageUrl } from '@bomtrail/purl';
import { componentRelease } from './component-release';
import type { Distribution } from './distributions';
import { normaliseName } from './ecosystems';
import type { PackageVersion } from './package-key';
import { readSourceRpm, readUpstream, withEpoch } from './source-package';
import type { NamedVersion } from './source-package';
import { UNKNOWN_EPOCH } from './version-text';

/** Distributions whose advisories name source packages only. */
const BY_SOURCE_ALONE: ReadonlySet<string> = new Set(['Debian', 'Ubuntu', 'Echo', 'Alpine']);

/**
 * Distributions whose advisories name source packages, according to their records; those of the
 * others name binary packages, or both.
 */
const SOURCES_COUNT: ReadonlySet<string> = new Set([
  ...BY_SOURCE_ALONE,
  'Rocky Linux',
  'SUSE',
  'openSUSE',
  'openEuler',
  'Mageia',
]);

/** A rebuild of unchanged sources adds this to the binary's version (Debian Policy 5.6.12). */
const BINARY_REBUILD = /\+b\d+$/;

/**
 * Rule M34: whether the source of a package is named, `assumed` to have the package's name, or
 * irrelevant. Scanners omit it when it equals the package's name, but some always omit it; only the
 * whole document shows which.
 */
export function sourceDataStatus(purl: PackageUrl, ecosystem: string): SourceDataStatus {
  if (!SOURCES_COUNT.has(ecosystem)) return 'indifferent';
  return (purl.qualifiers.upstream ?? '') === '' ? 'assumed' : 'named';
}

export type SourceDataStatus = 'named' | 'assumed' | 'indifferent';

/**
 * Rule M29: the package versions by which advisories know a distribution package. Debian, Ubuntu,
 * Echo and Alpine name the source package: `upstream`, else the package's own name. For the others:
 * the package by its own name, and by its source if that differs; it is affected when either is.
 *
 * @param version not empty
 */
export function locateDistributionPackage(
  purl: PackageUrl,
  version: string,
  at: { distribution: Distribution; distro: string | null },
): readonly PackageVersion[] {
  const { ecosystem } = at.distribution;
  const suffix = componentRelease(at.distribution, at.distro, version);
  const own = withEpoch(version, purl.qualifiers.epoch);
  const make = (name: string, of: string): PackageVersion => ({
    ecosystem,
    suffix,
    name: normaliseName(ecosystem, name),
    version: of,
  });

  const source = sourceOf(purl, own);
  if (BY_SOURCE_ALONE.has(ecosystem)) {
    return [make(source?.name ?? purl.name, source?.version ?? sourceVersion(ecosystem, own))];
  }
  const binary = make(purl.name, own);
  if (source === null) return [binary];
  const ofSource = make(source.name, source.version ?? own);
  const isSame = ofSource.name === binary.name && ofSource.version === binary.version;
  return isSame ? [binary] : [binary, ofSource];
}

function sourceVersion(ecosystem: string, version: string): string {
  return ecosystem === 'Debian' ? version.replace(BINARY_REBUILD, '') : version;
}

function sourceOf(purl: PackageUrl, own: string): NamedVersion | null {
  const { upstream } = purl.qualifiers;
  if (purl.type === 'deb') return unsignedKernel(readUpstream(upstream));
  if (purl.type !== 'rpm') return readUpstream(upstream);
  const source = readSourceRpm(upstream);
  if (source === null || source.version === null) return source;
  return { name: source.name, version: sourceVersionOf(own, source.version) };
}

/** `linux-signed-amd64`, `linux-signed-5.10-arm64` (Debian); `linux-signed-hwe-6.2` (Ubuntu). */
const SIGNED_KERNEL = /^linux-signed(?=-|$)(.*?)(?:-(?:amd64|arm64|i386))?$/;

/**
 * Debian and Ubuntu sign a kernel in a source of its own, but their advisories name the source that
 * it is built from, whose version the binary package has.
 */
function unsignedKernel(source: NamedVersion | null): NamedVersion | null {
  const flavour = SIGNED_KERNEL.exec(source?.name ?? '')?.[1];
  return flavour === undefined ? source : { name: `linux${flavour}`, version: null };
}

/**
 * Rule M32: source RPM file names have no epoch. A subpackage has the epoch of its spec unless it
 * sets its own, so the binary's epoch applies to the source. For a binary without epoch whose
 * version differs from its source (perl's modules), the epoch is unknown.
 */
function sourceVersionOf(own: string, source: string): string {
  const epoch = /^\d+(?=:)/.exec(own)?.[0];
  if (epoch !== undefined || /^\d+:/.test(source)) return withEpoch(source, epoch);
  return own === source ? source : UNKNOWN_EPOCH + source;
}
