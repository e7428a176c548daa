import { AppError } from '@bomtrail/messages';
import { activeDecision } from '../decisions/store/decision-mapping';
import type { ActiveDecision } from '../tracking/domain/decision-types';
import type { Acceptances } from '../tracking/ports';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { decideByVex } from './domain/decide-by-vex';
import type { VexService } from './ports';
import { acceptanceOf, matchStatements, type SyncServiceDeps } from './sync-service';

export interface DecisionsOnSbomDeps extends Omit<SyncServiceDeps, 'vexEvaluations'> {
  acceptances: Pick<Acceptances, 'active'>;
}

/**
 * The decisions that apply in one SBOM of a service as if it were the newest one. Those that VEX documents made are about
 * the newest one, so documents decide anew; nothing is stored.
 *
 * @returns `now`: when they apply, as ISO 8601
 * @throws AppError `sbom_not_found`; those of ingest and catalog
 */
export async function decisionsOnSbom(
  deps: DecisionsOnSbomDeps,
  service: VexService,
  sbomId: string,
): Promise<{ decisions: ActiveDecision[]; now: string }> {
  const [{ acceptances, now }, ofDocuments] = await Promise.all([
    deps.acceptances.active(service),
    decisionsOfDocuments(deps, service, sbomId),
  ]);
  const ofPeople = acceptances.filter(({ source }) => source !== 'vex');
  return {
    decisions: [...ofPeople, ...ofDocuments].map(activeDecision),
    now: now.toISOString(),
  };
}

async function decisionsOfDocuments(
  deps: DecisionsOnSbomDeps,
  service: VexService,
  sbomId: string,
): Promise<AcceptanceDocument[]> {
  const [revision = 0] = await deps.vexDocuments.revisionsOf([service.project_id]);
  if (revision === 0) return [];
  const matched = await matchStatements(deps, service, sbomId);
  if (!matched) throw new AppError('sbom_not_found');
  const { statements, matches } = matched.applied;
  return decideByVex(statements, matches).map((one) => acceptanceOf(one, service));
}
