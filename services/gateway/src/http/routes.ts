import type { Routes } from './call';
import { alertRuleRoutes } from './operations/alert-rules';
import { apiKeyRoutes } from './operations/api-keys';
import { auditRoutes } from './operations/audit';
import { operationRoutes, type OperationRouteDeps } from './operations/operation';
import { projectRoutes } from './operations/projects';
import { sbomRoutes, type SbomRouteDeps } from './operations/sboms';
import { serviceRoutes } from './operations/services';
import { vulnerabilityRoutes } from './operations/vulnerabilities';
import type { ListActiveDeps } from '../use-cases/list-active';
import type { ListAuditDeps } from '../use-cases/list-audit';
import type { ManageApiKeysDeps } from '../use-cases/manage-api-keys';

export type RouteDeps = SbomRouteDeps &
  ListActiveDeps &
  ManageApiKeysDeps &
  ListAuditDeps &
  OperationRouteDeps;

/**
 * Operations of the contract that are not served yet: nothing answers them behind the gateway. Each
 * leaves this list together with the use case that serves it; a test holds that every operation of
 * the contract is either served or named here.
 */
export const unservedOperations: readonly string[] = [];

/** Every operation that is served, by the contract's operationId. */
export function routes(deps: RouteDeps): Routes {
  return {
    ...projectRoutes(deps),
    ...serviceRoutes(deps),
    ...sbomRoutes(deps),
    ...vulnerabilityRoutes(deps),
    ...alertRuleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...auditRoutes(deps),
    ...operationRoutes(deps),
  };
}
