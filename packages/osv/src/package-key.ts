import { lowerCaseAlias, normaliseName, splitEcosystem } from './ecosystems';
import type { OsvRecord } from './record';

/** The unit of matching: one version of one package of one release, as `locate` gives it. */
export interface PackageVersion {
  /** OSV's ecosystem without suffix, e.g. `npm`. */
  ecosystem: string;
  /**
   * The registry (M14, M30) or the release of the distribution (M22) that the component names, in
   * one spelling; null for the default registry, and where no release is named.
   */
  suffix: string | null;
  /** Normalised for comparison. */
  name: string;
  /** Text ready for the ecosystem's comparer. */
  version: string;
}

/**
 * The text that advisories and packages are looked up by, e.g. `npm|lodash`. A suffix of the
 * ecosystem is left out and the name normalised, so both sides may pass what they have.
 */
export function packageKey(ecosystem: string, name: string): string {
  const { base } = splitEcosystem(ecosystem);
  return `${base}|${normaliseName(base, name)}`;
}

/** A text that is the same for equal package versions and differs for different ones. */
export function versionKey(pkg: PackageVersion): string {
  const key = packageKey(pkg.ecosystem, pkg.name);
  return `${key}|${escapeBar(pkg.suffix ?? '')}|${escapeBar(pkg.version)}`;
}

/** The last two fields hold no bar, so the fields of a version key can be told apart. */
function escapeBar(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('|', '%7C');
}

/**
 * The distinct package keys that a record's `affected` names, of every ecosystem, in its order, each
 * with the other spelling that it is looked up by (M42).
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
