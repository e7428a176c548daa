import type { listServiceStates as listServiceStatesMessage } from '@bomtrail/messages';
import type { AlertPeriodStore } from '../store/alert-period-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';

export interface ListServiceStatesDeps extends LapseExpiredDeps {
  alertPeriods: AlertPeriodStore;
}

/**
 * The lines of a project with the versions of their ledgers, in pages by id. A row that is listed when
 * this is asked for, also because an acceptance has expired, was written with the version that is
 * given or an earlier one.
 */
export async function listServiceStates(
  deps: ListServiceStatesDeps,
  query: { project_id: string; after: string | null; limit: number },
): Promise<NonNullable<typeof listServiceStatesMessage.response>> {
  await lapseExpired(deps, query.project_id);
  const { items, next } = await deps.alertPeriods.services(query.project_id, query);
  const states = items.map(({ _id, version, traceparent }) => ({
    ...{ service_id: _id, version },
    ...(traceparent ? { traceparent } : {}),
  }));
  return { states, next };
}
