import { listServiceStates, maxListedServiceStates } from '@bomtrail/messages';
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

/**
 * All services of a project in the reconciler; none for a deleted project.
 *
 * @throws AppError of the reconciler, or `service_unavailable`
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
  const input = { project_id: projectId, after, limit: maxListedServiceStates };
  return (await request(listServiceStates, input)).body;
}
