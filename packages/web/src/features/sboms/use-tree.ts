import { queryOptions, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { openParents, treeLines, type TreeLevel, type TreeLine } from './tree-lines';

/** Components per request, of those that one depends on. */
const levelSize = 200;

export interface TreeQuery {
  sbomId: string;
  q: string;
  vulnerable: boolean;
}

export interface Tree {
  lines: TreeLine[];
  /** undefined until the first level has come. */
  hasGraph: boolean | undefined;
  error: Error | null;
  retry: () => void;
  set: (key: string, isOpen: boolean) => void;
  more: (parent: string | null) => void;
}

function treeLevel(of: TreeQuery, parent: string | null, page: number) {
  const query = {
    ...(parent === null ? {} : { parent }),
    ...(of.q ? { q: of.q } : {}),
    vulnerable: of.vulnerable,
    page,
    per_page: levelSize,
  };
  const path = { sbom_id: of.sbomId };
  return queryOptions({
    queryKey: ['sboms', of.sbomId, 'graph', query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/sboms/{sbom_id}/dependencies/graph', { params: { path, query }, signal }),
      ),
    retry: false,
  });
}

/** The dependency tree of an SBOM, of which levels are read as they are opened. */
export function useTree(of: TreeQuery): Tree {
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [pages, setPages] = useState<ReadonlyMap<string | null, number>>(new Map());
  const [parents, setParents] = useState<readonly (string | null)[]>([null]);
  const wanted = parents.flatMap((parent) =>
    Array.from({ length: pages.get(parent) ?? 1 }, (_, at) => ({ parent, page: at + 1 })),
  );
  const read = useQueries({
    queries: wanted.map(({ parent, page }) => treeLevel(of, parent, page)),
  });
  const levels = new Map<string | null, TreeLevel>();
  for (const [at, { parent }] of wanted.entries()) {
    const data = read[at]?.data;
    if (!data) continue;
    const items = [...(levels.get(parent)?.items ?? []), ...data.items];
    levels.set(parent, { items, total: data.total });
  }
  const lines = treeLines({ byHand, levelOf: (parent) => levels.get(parent) });
  const open = [null, ...openParents(lines)];
  // What is opened by itself is known only when its own level has come.
  if (open.join('\n') !== parents.join('\n')) setParents(open);
  const failed = read.find(({ error }) => error);
  return {
    lines,
    hasGraph: read[0]?.data?.has_graph,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    set: (key, isOpen) => setByHand(new Map(byHand).set(key, isOpen)),
    more: (parent) => setPages(new Map(pages).set(parent, (pages.get(parent) ?? 1) + 1)),
  };
}
