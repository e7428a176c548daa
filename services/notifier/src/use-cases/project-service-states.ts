import { listServiceStates, maxListedServiceStates, type RiskRevisions } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';

/**
 * A service and the version of its state, which increases with every change of its vulnerabilities.
 */
export interface ServiceState {
  service_id: string;
  version: number;
  /** Trace context of the last change (W3C Trace Context); absent unless tracing is on. */
  traceparent?: string;
}

/** The services of a project, and the risk values that are stored at least. */
export interface ProjectStates {
  states: ServiceState[];
  risk: RiskRevisions;
}

/**
 * All services of a project in the reconciler; none for a deleted project.
 *
 * @throws AppError of the reconciler, or `service_unavailable`
 */
export async function projectServiceStates(
  request: Request,
  projectId: string,
): Promise<ProjectStates> {
  const states: ServiceState[] = [];
  let risk: RiskRevisions | undefined;
  let after: string | null = null;
  do {
    const page: ServiceStatePage = await pageAfter(request, projectId, after);
    for (const state of page.states) states.push(state);
    risk ??= page.risk;
    after = page.next;
  } while (after !== null);
  return { states, risk: risk ?? { kev: 0, epss: 0 } };
}

type ServiceStatePage = NonNullable<typeof listServiceStates.response>;

async function pageAfter(
  request: Request,
  projectId: string,
  after: string | null,
): Promise<ServiceStatePage> {
  const input = { project_id: projectId, after, limit: maxListedServiceStates };
  return (await request(listServiceStates, input)).body;
}
