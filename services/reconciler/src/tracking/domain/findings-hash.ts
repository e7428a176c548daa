import { createHash } from 'node:crypto';
import type { Observation } from './types';
import { addTo } from './grouped';

/**
 * Part of every hash. Raise it when the rules derive something else from the same findings, so that the next
 * SBOM of each service is evaluated in full.
 */
const rulesVersion = 6;

/** 96 bits suffice: only hashes of the same service are compared. */
const hashLength = 16;

/** Longer lists, of about 150 packages, are replaced by their hash, because each upload with other findings writes one. */
const maxCharacters = 8_000;

/**
 * Hashes findings, independent of their order: a line for each package, of a hash and the package key, or one hash if
 * these are too many. Scans with equal hashes lead to the same tracked vulnerabilities.
 */
export function findingsHashOf(observations: readonly Observation[]): string {
  const texts = new Map<string, string[]>();
  for (const one of observations) {
    const text = JSON.stringify([
      one.package_name,
      one.package_version,
      one.purl,
      one.ecosystem,
      // The details hash covers the details.
      one.is_direct,
      one.is_root ?? false,
      one.fixed_versions,
      one.details,
      one.package_versions && [...one.package_versions].sort(),
    ]);
    addTo(texts, one.package_key, text);
  }
  const lines = Array.from(texts, ([key, own]) => `${hashOf(own.sort().join('\n'))} ${key}`);
  const all = lines.sort().join('\n');
  const isList =
    all.length <= maxCharacters && ![...texts.keys()].some((key) => key.includes('\n'));
  return isList ? all : hashOf(all);
}

/** The packages whose findings differ between two scans, by their hashes; undefined: any may differ. */
export function differingPackages(a: string, b: string): string[] | undefined {
  if (a === b) return [];
  if (!isListOfPackages(a) || !isListOfPackages(b)) return undefined;
  const [linesOfA, linesOfB] = [linesOf(a), linesOf(b)];
  const differing = [
    ...[...linesOfA].filter((line) => !linesOfB.has(line)),
    ...[...linesOfB].filter((line) => !linesOfA.has(line)),
  ];
  return [...new Set(differing.map((line) => line.slice(line.indexOf(' ') + 1)))];
}

function isListOfPackages(hash: string): boolean {
  return hash === '' || hash.includes(' ');
}

function linesOf(hash: string): Set<string> {
  return new Set(hash === '' ? [] : hash.split('\n'));
}

function hashOf(text: string): string {
  const hash = createHash('sha256').update(`${rulesVersion}\n${text}`);
  return hash.digest('base64').slice(0, hashLength);
}
