import {
  readDependencyLevel,
  type BriefVulnerability,
  type DependencyLevelView,
  type VulnerablePackage,
} from '@bomtrail/messages';
import { pageWindow } from '@bomtrail/messages';
import { packJson, unpackJson } from '@bomtrail/messaging';
import type { Caller } from '../api-keys/domain/caller';
import { ValidationError } from '../shared/http-error';
import type { PageRequest } from '../shared/page-envelope';
import {
  attached,
  readSbomRecord,
  readVulnerabilities,
  retainedRecord,
  type ReadSbomDeps,
} from './read-sbom';

export interface LevelRequest extends PageRequest {
  /** Undefined: the root. */
  parent?: string;
  q?: string;
  vulnerable: boolean;
}

/**
 * One level of the dependency tree of an SBOM.
 *
 * @throws AppError `sbom_not_found`, `document_expired`, `service_unavailable`; ValidationError if the document has
 *   no such parent
 */
export async function listDependencyGraph(
  deps: ReadSbomDeps,
  caller: Caller,
  { sbom_id, parent, q = '', vulnerable, ...page }: LevelRequest & { sbom_id: string },
): Promise<Pick<DependencyLevelView, 'has_graph' | 'items' | 'total'>> {
  const record = retainedRecord(await readSbomRecord(deps, caller, sbom_id));
  const { sha256, scan_status } = record;
  const isScanned = scan_status === 'scanned';
  const found = vulnerable && isScanned ? await readVulnerabilities(deps, record) : null;
  const packages = found ? openPackages((await unpackJson(found)) as BriefVulnerability[]) : [];
  const words = q.split(/\s+/).filter((word) => word !== '');
  const { attachment } = await deps.request(
    readDependencyLevel,
    { sha256, parent: parent ?? null, words, vulnerable, ...pageWindow(page) },
    vulnerable ? await packJson(JSON.stringify(packages)) : undefined,
  );
  const level = (await unpackJson(attached(attachment))) as DependencyLevelView;
  if (!level.parent_known) throw unknownParent(parent);
  const { has_graph, items, total } = level;
  return { has_graph, items, total };
}

/** The versions with an open vulnerability. */
function openPackages(vulnerabilities: readonly BriefVulnerability[]): VulnerablePackage[] {
  return vulnerabilities
    .filter(({ status }) => status === 'open')
    .map(({ purl, package_versions }) => ({ purl, versions: package_versions }));
}

function unknownParent(parent: string | undefined): ValidationError {
  const error = 'the document has no such component: take an id of this list, or leave it out';
  const problem = { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
  return new ValidationError([{ loc: ['query', 'parent'], input: parent, ...problem }]);
}
