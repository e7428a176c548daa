import { parsePurl } from '@bomtrail/purl';
import { canonicalDependencies } from './dependency-set';
import type { Dependency } from './normalised-sbom';

/** Documents with more root entries than any real one count them as parts. */
const MAX_ROOTS = 16;

/** Characters of name, version, purl and source of all roots, which are sent in messages. */
const MAX_LETTERS = 32 * 1024;

/** No advisory is about a container image itself. */
const IMAGES: ReadonlySet<string> = new Set(['oci', 'docker']);

export interface SplitRoots {
  /** In canonical form; empty when the root has no package version. */
  roots: Dependency[];
  /** Too large to be roots; counted as dependencies. */
  parts: Dependency[];
}

/**
 * Selects the root entries that name a package version by their purl, one per purl: they are
 * scanned like dependencies (docs/validation.md P3).
 */
export function scannableRoots(entries: readonly Dependency[]): SplitRoots {
  const byPurl = new Map<string, Dependency>();
  for (const entry of entries) {
    if (entry.purl === null || !namesVersion(entry)) continue;
    const known = byPurl.get(entry.purl);
    if (known === undefined || known.version === '') byPurl.set(entry.purl, entry);
  }
  const all = canonicalDependencies(
    [...byPurl.values()].map((entry) => ({ ...entry, is_direct: true })),
  );
  const letters = all.reduce((sum, entry) => sum + lettersOf(entry), 0);
  if (letters > MAX_LETTERS) return { roots: [], parts: all };
  return { roots: all.slice(0, MAX_ROOTS), parts: all.slice(MAX_ROOTS) };
}

function namesVersion({ purl, version }: Dependency): boolean {
  const parsed = parsePurl(purl ?? '');
  return parsed !== null && !IMAGES.has(parsed.type) && (parsed.version ?? version) !== '';
}

function lettersOf({ name, version, purl, source_package: source }: Dependency): number {
  return name.length + version.length + (purl?.length ?? 0) + (source?.length ?? 0);
}
