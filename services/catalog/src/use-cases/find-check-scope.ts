import { AppError, type AlertThreshold, type CheckScope } from '@bomtrail/messages';
import { asStrictAs } from '../domain/gate-passed';
import { serviceNameOf } from '../domain/service-name';
import type { ServiceDocument, SbomDocument } from '../store/documents';
import type { GateStore } from '../store/gate-store';
import type { ProjectStore } from '../store/project-store';
import type { ServiceStore } from '../store/service-store';
import { findProject } from './find-project';
import { sbomRecord } from './views';

export interface FindCheckScopeDeps {
  projects: ProjectStore;
  services: Pick<ServiceStore, 'named'>;
  gates: Pick<GateStore, 'named' | 'newestPassed'>;
}

/** The request `find-check-scope`. */
export interface CheckScopeQuery {
  project_id: string | null;
  project_slug: string | null;
  service_name: string | null;
  root_name: string | null;
  fail_on: AlertThreshold;
  baseline: string;
}

/**
 * The service that an upload would go to (N8), and the baseline that its gate would have, see the
 * message `find-check-scope`.
 *
 * @throws AppError `project_not_found`, `baseline_not_found`
 */
export async function findCheckScope(
  deps: FindCheckScopeDeps,
  query: CheckScopeQuery,
): Promise<CheckScope> {
  const project = await findProject(deps, query);
  const service_name = serviceNameOf(query.service_name, query.root_name);
  const service = await deps.services.named(project._id, service_name);
  const baseline = await baselineOf(deps, service, query);
  return {
    project_id: project._id,
    service_name,
    service_id: service && service._id,
    baseline: baseline && service && sbomRecord(baseline, service),
  };
}

async function baselineOf(
  { gates }: FindCheckScopeDeps,
  service: ServiceDocument | null,
  { baseline, fail_on }: CheckScopeQuery,
): Promise<SbomDocument | null> {
  if (baseline === 'none') return null;
  const of = service && { service_id: service._id };
  if (baseline === 'last-passed') return of && gates.newestPassed(of, asStrictAs(fail_on));
  const found = of && (await gates.named(of, baseline));
  if (!found) throw new AppError('baseline_not_found');
  return found;
}
