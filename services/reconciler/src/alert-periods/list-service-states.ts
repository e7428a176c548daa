import type { listServiceStates as listServiceStatesMessage } from '@bomtrail/messages';
import type { AlertPeriodStore } from './ports';
import type { RiskStore } from '../risk/ports';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';

export interface ListServiceStatesDeps extends LapseExpiredDeps {
  alertPeriods: AlertPeriodStore;
  risk: Pick<RiskStore, 'revisions'>;
}

/**
 * One page of the services of a project with the versions of their states, by id. Every vulnerability that is
 * open at the time of the call, also due to an expiry, was written with this version or an earlier one, and
 * the risk values counted in `risk` are stored.
 */
export async function listServiceStates(
  deps: ListServiceStatesDeps,
  query: { project_id: string; after: string | null; limit: number },
): Promise<NonNullable<typeof listServiceStatesMessage.response>> {
  await lapseExpired(deps, query.project_id);
  const risk = await deps.risk.revisions();
  const { items, next } = await deps.alertPeriods.services(query.project_id, query);
  const states = items.map(({ _id, version, traceparent }) => ({
    service_id: _id,
    version,
    ...(traceparent ? { traceparent } : {}),
  }));
  return { states, next, risk };
}
