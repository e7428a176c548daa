import { ecosystemOf } from '@bomtrail/osv';
import { fullName, normalisePypiName, parsePurl } from '@bomtrail/purl';

/** The package that a purl names, as vulnerabilities store it. */
export interface PurlPackage {
  /** OSV's name, without release or registry. */
  ecosystem: string;
  /** The full name in lower case; for PyPI a pattern, because documents spell names in several ways. */
  name: string | RegExp;
  /** Null: any. */
  version: string | null;
}

/**
 * The package that a purl names; null if no advisories exist for its type. Qualifiers and subpath are
 * ignored, the version is compared as text.
 */
export function packageOfPurl(text: string): PurlPackage | null {
  const purl = parsePurl(text);
  const ecosystem = purl && ecosystemOf(purl);
  if (!purl || ecosystem === null) return null;
  return { ecosystem, name: nameOf(ecosystem, fullName(purl)), version: purl.version };
}

/**
 * Whether a decision by a purl is about all versions of its package that an SBOM has. One about some of them must not hide
 * the others (docs/rules.md DC5).
 *
 * @param version that of the purl; null: any
 */
export function isAboutAll(version: string | null, versions: readonly string[]): boolean {
  return version === null || versions.every((one) => one === version);
}

function nameOf(ecosystem: string, name: string): string | RegExp {
  if (ecosystem !== 'PyPI') return name.toLowerCase();
  const parts = normalisePypiName(name).split('-').map(literally);
  return new RegExp(`^${parts.join('[-_.]+')}$`);
}

/** A pattern of this text alone. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
