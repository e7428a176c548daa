// Node 20 has String.prototype.isWellFormed and toWellFormed, which ES2023 did not yet.
/// <reference lib="es2024.string" />
import type { PackageVersion } from '@bomtrail/osv';

/** OSV ecosystem → purl type, where the mapping is unique. */
const types: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['PyPI', 'pypi'],
  ['Go', 'golang'],
  ['crates.io', 'cargo'],
  ['Maven', 'maven'],
  ['RubyGems', 'gem'],
  ['NuGet', 'nuget'],
  ['Packagist', 'composer'],
  ['Hex', 'hex'],
  ['Pub', 'pub'],
  ['Hackage', 'hackage'],
  ['CRAN', 'cran'],
  ['Bitnami', 'bitnami'],
]);

/**
 * Returns the purl of a package version without qualifiers. Null where it is ambiguous: a
 * distribution's package version may be the source of several components.
 */
export function purlOf(version: PackageVersion): string | null {
  const type = types.get(version.ecosystem);
  if (type === undefined) return null;
  const path = version.ecosystem === 'Maven' ? version.name.replace(':', '/') : version.name;
  return versionedPurl(`pkg:${type}/${path.split('/').map(encode).join('/')}`, version.version);
}

/** Appends the version to a purl, if there is one. */
export function versionedPurl(identity: string, version: string): string {
  return version === '' ? identity : `${identity}@${encode(version)}`;
}

/** purl specification, "Character encoding". */
function encode(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%3A', ':');
}
