import { maxDependencyPaths, maxPathLength, type DependencyPathsView } from '@bomtrail/messages';
import type { DependencyPaths } from '@bomtrail/sbom-formats';
import { LRUCache } from 'lru-cache';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';
import { findStoredDocument } from './stored-document';

export interface FindDependencyPathsDeps {
  documents: Pick<DocumentStore, 'readDocument' | 'sizeOfDocument'>;
  workers: Pick<Workers, 'paths'>;
  /** Results by document and purl. A document never changes. */
  foundPaths: LRUCache<string, DependencyPathsView>;
}

/** Components of all cached paths, some hundred bytes each. */
const cachedComponents = 50_000;

/** The cache of one process. */
export function createPathsCache(): FindDependencyPathsDeps['foundPaths'] {
  return new LRUCache({
    maxSize: cachedComponents,
    sizeCalculation: ({ paths }) => paths.flat().length + 1,
  });
}

/**
 * Finds how components come into a document, by its own graph. The document is parsed again, unless the result
 * is in memory.
 *
 * @throws AppError `sbom_not_found` when the document is missing
 */
export async function findDependencyPaths(
  deps: FindDependencyPathsDeps,
  { sha256, purls }: { sha256: string; purls: readonly string[] },
): Promise<DependencyPathsView[]> {
  const keyOf = (purl: string): string => `${sha256} ${purl}`;
  const distinct = [...new Set(purls)];
  const missing = distinct.filter((purl) => !deps.foundPaths.has(keyOf(purl)));
  const fresh = new Map<string, DependencyPathsView>();
  if (missing.length > 0) {
    const found = await read(deps, sha256, missing);
    for (const [index, purl] of missing.entries()) {
      const view = { purl, ...viewOf(found && found[index]) };
      fresh.set(purl, view);
      deps.foundPaths.set(keyOf(purl), view);
    }
  }
  return distinct.flatMap((purl) => fresh.get(purl) ?? deps.foundPaths.get(keyOf(purl)) ?? []);
}

async function read(
  { documents, workers }: FindDependencyPathsDeps,
  sha256: string,
  purls: readonly string[],
): Promise<DependencyPaths[] | null> {
  const { size, readBytes } = await findStoredDocument(documents, sha256);
  const limits = { paths: maxDependencyPaths, length: maxPathLength };
  return workers.paths({ size, read: async () => ({ bytes: await readBytes(), purls, limits }) });
}

function viewOf(found: DependencyPaths | null | undefined): Omit<DependencyPathsView, 'purl'> {
  if (!found) return { has_graph: false, found: null, paths: [], more: false };
  return { has_graph: true, ...found };
}
