import {
  AppError,
  getSbom,
  readEmbeddedVex,
  type EmbeddedVexMode,
  type SuggestedDecision,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { EmbeddedVex, StatementMatch } from '@bomtrail/vex';
import { currentAliases } from '../tracking/domain/current-aliases';
import { isAboutPackage } from '../tracking/domain/decisions';
import type { TrackedVulnerability } from '../tracking/domain/types';
import type { PlacedStatement, StoredVex } from './domain/vex-documents';
import { placedStatements } from './domain/vex-documents';
import type { StoredSuggestion, VexDocumentStore, VexEvaluationStore } from './ports';

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

/** What an SBOM says itself, as statements of a document with its id. Null: it was deleted. */
export async function readEmbedded(
  { request }: { request: Request },
  sbomId: string,
): Promise<{ statements: PlacedStatement[]; matches: StatementMatch[] } | null> {
  try {
    const { sha256, created_at, version } = (await request(getSbom, { sbom_id: sbomId })).body;
    const { attachment } = await request(readEmbeddedVex, { sha256 });
    const found = (await unpackJson(attachment ?? Buffer.alloc(0))) as EmbeddedVex;
    const stored: StoredVex = {
      id: `sbom:${sbomId}`,
      document: {
        id: `urn:uuid:${sbomId}`,
        version: version ?? '',
        author: 'The SBOM',
        last_updated: null,
        statements: found.statements,
      },
      created_at,
    };
    return { statements: placedStatements([stored]), matches: found.matches };
  } catch (error) {
    if (error instanceof AppError && error.code === 'sbom_not_found') return null;
    throw error;
  }
}

/** What the newest SBOM suggests about a vulnerability in it. */
export async function suggestionsOn(
  { vexEvaluations }: { vexEvaluations: Pick<VexEvaluationStore, 'suggestionsIn'> },
  service_id: string,
  vulnerability: TrackedVulnerability,
): Promise<SuggestedDecision[]> {
  const { package_key, snapshot } = vulnerability;
  const { package_versions = [] } = snapshot ?? {};
  const aliases = currentAliases(vulnerability);
  const stored = await vexEvaluations.suggestionsIn(service_id);
  return stored
    .filter(({ identity }) => identity.some((id) => aliases.includes(id)))
    .filter(({ packages }) => isAboutPackage(packages, { package_key, package_versions }))
    .map(({ decision, justification, reason, source_document }: StoredSuggestion) => {
      return { decision, justification, reason, source_document };
    });
}
