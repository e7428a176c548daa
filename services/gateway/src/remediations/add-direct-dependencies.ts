import type { components } from '@bomtrail/api-contract';
import {
  findDependencyPaths,
  getSbom,
  maxPathPurls,
  type DependencyPathsView,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';

type Remediation = components['schemas']['Remediation'];
type Planned = Omit<Remediation, 'direct_dependencies'>;

/** Documents read for one page: a large one takes seconds. */
const maxDocuments = 5;

/**
 * Adds the direct dependencies that bring the packages of a page, each in the first of its services. Null where the
 * package is direct, the document has no graph or cannot be read, and beyond the first documents.
 */
export async function addDirectDependencies(
  deps: { request: Request },
  items: readonly Planned[],
): Promise<Remediation[]> {
  const purlsOf = new Map<string, Set<string>>();
  for (const { services } of items) {
    const [first] = services;
    if (!first || first.is_direct) continue;
    const purls = purlsOf.get(first.sbom_id);
    if (purls) purls.add(first.purl);
    else if (purlsOf.size < maxDocuments) purlsOf.set(first.sbom_id, new Set([first.purl]));
  }
  const found = new Map<string, DependencyPathsView>();
  await Promise.allSettled(
    [...purlsOf].map(async ([sbomId, purls]) => {
      for (const view of await pathsIn(deps, sbomId, [...purls]))
        found.set(`${sbomId} ${view.purl}`, view);
    }),
  );
  return items.map((item) => {
    const [first] = item.services;
    const paths = first && !first.is_direct && found.get(`${first.sbom_id} ${first.purl}`);
    const direct_dependencies =
      paths && paths.has_graph ? paths.paths.flatMap(([one]) => one ?? []) : null;
    return { ...item, direct_dependencies };
  });
}

async function pathsIn(
  { request }: { request: Request },
  sbom_id: string,
  purls: readonly string[],
): Promise<DependencyPathsView[]> {
  const { sha256 } = (await request(getSbom, { sbom_id })).body;
  const found: DependencyPathsView[] = [];
  for (let at = 0; at < purls.length; at += maxPathPurls) {
    const page = purls.slice(at, at + maxPathPurls);
    const { attachment } = await request(findDependencyPaths, { sha256, purls: page });
    found.push(...((await unpackJson(attachment ?? Buffer.alloc(0))) as DependencyPathsView[]));
  }
  return found;
}
