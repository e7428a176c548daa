import type { Routes } from './call';
import { alertRuleRoutes } from './operations/alert-rules';
import { apiKeyRoutes } from './operations/api-keys';
import { auditRoutes } from './operations/audit';
import { operationRoutes, type OperationRouteDeps } from './operations/operation';
import { projectRoutes } from './operations/projects';
import { sbomRoutes, type SbomRouteDeps } from './operations/sboms';
import { verdictRoutes } from './operations/verdict';
import { searchRoutes } from './operations/search';
import { serviceRoutes } from './operations/services';
import { vulnerabilityRoutes } from './operations/vulnerabilities';
import type { JudgeSbomDeps } from '../use-cases/judge-sbom';
import type { ListActiveDeps } from '../use-cases/list-active';
import type { ListAuditDeps } from '../use-cases/list-audit';
import type { ManageApiKeysDeps } from '../use-cases/manage-api-keys';

export type RouteDeps = SbomRouteDeps &
  JudgeSbomDeps &
  ListActiveDeps &
  ManageApiKeysDeps &
  ListAuditDeps &
  OperationRouteDeps;

/** Every operation of the contract, by its operationId. */
export function routes(deps: RouteDeps): Routes {
  return {
    ...projectRoutes(deps),
    ...serviceRoutes(deps),
    ...sbomRoutes(deps),
    ...verdictRoutes(deps),
    ...vulnerabilityRoutes(deps),
    ...searchRoutes(deps),
    ...alertRuleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...auditRoutes(deps),
    ...operationRoutes(deps),
  };
}
