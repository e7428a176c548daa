import { createHash } from 'node:crypto';
import { AppError, type DependencyLevelView, type VulnerablePackage } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { LRUCache } from 'lru-cache';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';
import { findStoredDocument } from './stored-document';

export interface ReadDependencyLevelDeps {
  documents: Pick<DocumentStore, 'readDocument' | 'sizeOfDocument'>;
  workers: Pick<Workers, 'dependencyLevel'>;
  /** Results by document and query. A document never changes. */
  readLevels: LRUCache<string, DependencyLevelView>;
}

/** Components of all cached levels, some hundred bytes each. */
const cachedComponents = 50_000;

/** The cache of one process. */
export function createLevelsCache(): ReadDependencyLevelDeps['readLevels'] {
  return new LRUCache({
    maxSize: cachedComponents,
    sizeCalculation: ({ items }) => items.length + 1,
  });
}

/**
 * Reads one level of a document's dependency tree. The document is parsed again, unless the result is in memory.
 *
 * @param packages with `vulnerable`: packed `VulnerablePackage[]`
 * @throws AppError `sbom_not_found` when the document is missing
 */
export async function readDependencyLevel(
  { documents, workers, readLevels }: ReadDependencyLevelDeps,
  query: {
    sha256: string;
    parent: string | null;
    words: string[];
    vulnerable: boolean;
    skip: number;
    limit: number;
  },
  packages: Uint8Array | null,
): Promise<DependencyLevelView> {
  const { sha256, vulnerable, ...level } = query;
  if (vulnerable && !packages) throw new AppError('malformed_body', 'The packages are missing.');
  const of = vulnerable
    ? createHash('sha256')
        .update(packages ?? '')
        .digest('hex')
    : null;
  const key = JSON.stringify([sha256, level, of]);
  const known = readLevels.get(key);
  if (known) return known;
  const { size, readBytes } = await findStoredDocument(documents, sha256);
  const named =
    packages && vulnerable ? ((await unpackJson(packages)) as VulnerablePackage[]) : null;
  const found = await workers.dependencyLevel({
    size,
    read: async () => ({ bytes: await readBytes(), query: { ...level, packages: named } }),
  });
  const view = found
    ? { has_graph: true, ...found }
    : { has_graph: false, parent_known: true, items: [], total: 0 };
  readLevels.set(key, view);
  return view;
}
