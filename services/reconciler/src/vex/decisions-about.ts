import { AppError } from '@bomtrail/messages';
import { activeDecision } from '../decisions/store/decision-mapping';
import type { ActiveDecision } from '../tracking/domain/decision-types';
import type { Acceptances } from '../tracking/ports';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { matchDocument, matchSbom, type MatchSbomDeps, type UnstoredDocument } from './match-sbom';
import type { VexEvaluationStore } from './ports';
import { decisionsBy } from './vex-decisions';
import type { Service } from '../tracking/domain/types';

export interface DecisionsDeps extends MatchSbomDeps {
  acceptances: Pick<Acceptances, 'active'>;
}

export interface DecisionsOnSbomDeps extends DecisionsDeps {
  vexEvaluations: Pick<VexEvaluationStore, 'isEvaluated'>;
}

/** Decisions, and when they apply, as ISO 8601. */
export interface DecisionsAt {
  decisions: ActiveDecision[];
  now: string;
}

/**
 * The decisions that apply in one SBOM of a service as if it were the newest one. Those that VEX documents made are about
 * the newest one; for another one documents decide anew, and nothing is stored.
 *
 * @throws AppError `sbom_not_found`; those of ingest and catalog
 */
export async function decisionsOnSbom(
  deps: DecisionsOnSbomDeps,
  service: Service,
  sbomId: string,
): Promise<DecisionsAt> {
  const revision = await deps.vexDocuments.revisionOf(service.project_id);
  const isStored = async (): Promise<boolean> =>
    revision === 0 ||
    deps.vexEvaluations.isEvaluated(service.service_id, { sbom_id: sbomId, revision });
  if (await isStored()) {
    const { acceptances, now } = await deps.acceptances.active(service);
    // An evaluation and its decisions are replaced together.
    if (await isStored())
      return { decisions: acceptances.map(activeDecision), now: now.toISOString() };
  }
  const matched = await matchSbom(deps, service, sbomId);
  if (!matched) throw new AppError('sbom_not_found');
  return withoutStored(deps, service, decisionsBy(matched.applied, service));
}

/**
 * The same for a document that is stored nowhere (CH1); null: VEX documents do not decide.
 *
 * @throws AppError of ingest
 */
export async function decisionsOnDocument(
  deps: DecisionsDeps,
  service: Service,
  document: UnstoredDocument | null,
): Promise<DecisionsAt> {
  const matched = document && (await matchDocument(deps, service, document));
  return withoutStored(deps, service, matched ? decisionsBy(matched, service) : []);
}

/** The stored decisions of people and rules, with these of VEX documents in the place of the stored ones. */
async function withoutStored(
  { acceptances }: DecisionsDeps,
  service: Service,
  ofDocuments: readonly AcceptanceDocument[],
): Promise<DecisionsAt> {
  const active = await acceptances.active(service);
  const others = active.acceptances.filter(({ source }) => source !== 'vex');
  return {
    decisions: [...others, ...ofDocuments].map(activeDecision),
    now: active.now.toISOString(),
  };
}
