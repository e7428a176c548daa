import {
  AppError,
  readEmbeddedVex,
  type EmbeddedVexMode,
  type SuggestedDecision,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { EmbeddedVex } from '@bomtrail/vex';
import { isAboutPackage } from '../tracking/domain/decisions';
import type { TrackedVulnerability } from '../tracking/domain/types';
import { allNames, isNamedBy } from '../tracking/domain/vulnerability-names';
import {
  embeddedId,
  type MatchedStatements,
  type StoredVex,
  placedStatements,
} from './domain/vex-documents';
import type { StoredSuggestion, VexDocumentStore, VexEvaluationStore } from './ports';
import { readStored } from './read-stored';

/** Suggestions of a service that are stored. */
export const maxSuggestions = 5_000;

/** @throws AppError `project_not_found` */
export async function setEmbeddedVex(
  { vexDocuments }: { vexDocuments: VexDocumentStore },
  { project_id, mode }: { project_id: string; mode: EmbeddedVexMode },
): Promise<{ mode: EmbeddedVexMode }> {
  if ((await vexDocuments.setEmbedded(project_id, mode)) === 'deleted')
    throw new AppError('project_not_found');
  return { mode };
}

/**
 * What an SBOM says itself, as statements of a document with its id.
 *
 * @param sbom `created_at`: the time of statements without one; default now
 */
export function embeddedStatements(
  { statements, matches }: EmbeddedVex,
  { id, version, ...at }: { id: string; version: string | null; created_at?: string },
): MatchedStatements {
  const created_at = at.created_at ?? new Date().toISOString();
  const stored: StoredVex = {
    id: embeddedId(id),
    document: {
      id: `urn:uuid:${id}`,
      version: version ?? '',
      author: 'The SBOM',
      last_updated: null,
      statements,
    },
    created_at,
    updated_at: created_at,
  };
  return { statements: placedStatements([stored]), matches };
}

/** The same of a stored SBOM. Null: it was deleted. */
export async function readEmbedded(
  { request }: { request: Request },
  sbomId: string,
): Promise<MatchedStatements | null> {
  return readStored({ request }, sbomId, {
    async read({ sha256, created_at, version }) {
      const { attachment } = await request(readEmbeddedVex, { sha256 });
      const found = (await unpackJson(attachment ?? Buffer.alloc(0))) as EmbeddedVex;
      return embeddedStatements(found, { id: sbomId, version, created_at });
    },
    expired: { statements: [], matches: [] },
  });
}

/** What the newest SBOM suggests about a vulnerability in it. */
export async function suggestionsOn(
  { vexEvaluations }: { vexEvaluations: Pick<VexEvaluationStore, 'suggestionsIn'> },
  service_id: string,
  vulnerability: TrackedVulnerability,
): Promise<SuggestedDecision[]> {
  const { package_key, snapshot } = vulnerability;
  const { package_versions = [] } = snapshot ?? {};
  const names = allNames(vulnerability);
  const stored = await vexEvaluations.suggestionsIn(service_id);
  return stored
    .filter(({ identity }) => isNamedBy({ identity, source: 'vex' }, vulnerability))
    .filter(({ packages, identity }) =>
      isAboutPackage(packages, { package_key, package_versions }, { identity, names }),
    )
    .map(({ decision, justification, reason, source_document }: StoredSuggestion) => {
      return { decision, justification, reason, source_document };
    });
}
