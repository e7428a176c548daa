import { listServiceStates, maxListedServiceStates } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';

/** A version line and the version of its ledger, which grows with every change of its rows. */
export interface ServiceState {
  service_id: string;
  version: number;
  /** Place in its trace of what changed it last (W3C Trace Context); absent unless traces are on. */
  traceparent?: string;
}

/**
 * All lines of a project, as the reconciler has them now; none of a project that was deleted.
 *
 * @throws AppError what the reconciler answered, or `service_unavailable`
 */
export async function projectServiceStates(
  request: Request,
  projectId: string,
): Promise<ServiceState[]> {
  const all: ServiceState[] = [];
  let after: string | null = null;
  do {
    const page: ServiceStatePage = await pageAfter(request, projectId, after);
    for (const state of page.states) all.push(state);
    after = page.next;
  } while (after !== null);
  return all;
}

type ServiceStatePage = NonNullable<typeof listServiceStates.response>;

async function pageAfter(
  request: Request,
  projectId: string,
  after: string | null,
): Promise<ServiceStatePage> {
  const query = { project_id: projectId, after, limit: maxListedServiceStates };
  return (await request(listServiceStates, query)).body;
}
