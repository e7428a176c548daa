import type { Routes } from './call';
import { peopleRoutes } from '../access/routes';
import type { ManagePeopleDeps } from '../access/manage-people';
import { alertRuleRoutes } from '../alert-rules/routes';
import { apiKeyRoutes } from '../api-keys/routes';
import { auditRoutes } from '../audit/routes';
import { deadLetterRoutes } from '../dead-letters/routes';
import { importRoutes } from '../imports/routes';
import { operationRoutes, type OperationRouteDeps } from '../readiness/routes';
import { projectRoutes } from '../projects/routes';
import { sbomRoutes, type SbomRouteDeps } from '../sboms/routes';
import { checkRoutes, type CheckRouteDeps } from '../check/routes';
import { verdictRoutes } from '../gate/routes';
import { remediationRoutes } from '../remediations/routes';
import { searchRoutes } from '../search/routes';
import { statisticsRoutes } from '../statistics/routes';
import { serviceRoutes } from '../projects/service-routes';
import { vexRoutes } from '../vex/routes';
import { vulnerabilityRoutes } from '../vulnerabilities/routes';
import type { JudgeSbomDeps } from '../gate/judge-sbom';
import type { ListActiveDeps } from '../vulnerabilities/list-active';
import type { ListAuditDeps } from '../audit/list-audit';
import type { ManageApiKeysDeps } from '../api-keys/manage-api-keys';

export type RouteDeps = SbomRouteDeps &
  JudgeSbomDeps &
  CheckRouteDeps &
  ListActiveDeps &
  ManageApiKeysDeps &
  ListAuditDeps &
  OperationRouteDeps & { managePeople: ManagePeopleDeps };

/** Every operation of the contract, by its operationId. */
export function routes(deps: RouteDeps): Routes {
  return {
    ...projectRoutes(deps),
    ...serviceRoutes(deps),
    ...sbomRoutes(deps),
    ...verdictRoutes(deps),
    ...checkRoutes(deps),
    ...vulnerabilityRoutes(deps),
    ...remediationRoutes(deps),
    ...vexRoutes(deps),
    ...statisticsRoutes(deps),
    ...searchRoutes(deps),
    ...alertRuleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...peopleRoutes(deps.managePeople),
    ...importRoutes(deps),
    ...auditRoutes(deps),
    ...deadLetterRoutes(deps),
    ...operationRoutes(deps),
  };
}
