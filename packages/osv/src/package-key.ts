import { lowerCaseAlias, normaliseName, splitEcosystem } from './ecosystems';
import type { OsvRecord } from './record';

/** The unit of matching: one version of a package in a release, as returned by `locate`. */
export interface PackageVersion {
  /** OSV's ecosystem without suffix, e.g. `npm`. */
  ecosystem: string;
  /**
   * The normalised registry (M14, M30) or release (M22) of the component; null for the default
   * registry or an unknown release.
   */
  suffix: string | null;
  /** Normalised for comparison. */
  name: string;
  /** Normalised for the ecosystem's comparer. */
  version: string;
}

/**
 * The lookup key of a package, e.g. `npm|lodash`. Removes the ecosystem's suffix and normalises the
 * name.
 */
export function packageKey(ecosystem: string, name: string): string {
  const { base } = splitEcosystem(ecosystem);
  return `${base}|${normaliseName(base, name)}`;
}

/** A key that is equal for equal package versions only. */
export function versionKey(pkg: PackageVersion): string {
  const key = packageKey(pkg.ecosystem, pkg.name);
  return `${key}|${escapeBar(pkg.suffix ?? '')}|${escapeBar(pkg.version)}`;
}

/** The last two fields contain no bar, so the key is unambiguous. */
function escapeBar(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('|', '%7C');
}

/**
 * The distinct package keys of a record's `affected`, of every ecosystem, in order, including the
 * second spellings (M42).
 */
export function affectedKeys(record: OsvRecord): string[] {
  const keys = record.affected.flatMap((entry) =>
    entry.package === null ? [] : keysOf(entry.package.ecosystem, entry.package.name),
  );
  return [...new Set(keys)];
}

function keysOf(ecosystem: string, name: string): string[] {
  const key = packageKey(ecosystem, name);
  const { base } = splitEcosystem(ecosystem);
  const alias = lowerCaseAlias(base, name);
  return alias === null ? [key] : [key, packageKey(base, alias)];
}
