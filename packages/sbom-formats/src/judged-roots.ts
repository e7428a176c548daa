import { parsePurl } from '@bomtrail/purl';
import { canonicalDependencies } from './dependency-set';
import type { Dependency } from './normalised-sbom';

/** A root stands for one package; more entries than any real document has for it are counted as parts. */
const MAX_ROOTS = 16;

/** Letters of name, version, purl and source of all roots; they travel inside of messages. */
const MAX_LETTERS = 32 * 1024;

/** An image is what its document lists: no advisory is about the image itself. */
const IMAGES: ReadonlySet<string> = new Set(['oci', 'docker']);

export interface SplitRoots {
  /** In canonical form; empty where the root names no package version. */
  roots: Dependency[];
  /** What is too much to be a root. */
  parts: Dependency[];
}

/**
 * Of the entries for a document's root those that name a package version by their purl: they are judged
 * as the dependencies are (docs/validation.md P3). One for each purl.
 */
export function judgedRoots(entries: readonly Dependency[]): SplitRoots {
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
