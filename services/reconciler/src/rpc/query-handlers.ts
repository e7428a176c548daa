import * as messages from '@bomtrail/messages';
import { answers, handles, packJson, type RpcTransport } from '@bomtrail/messaging';
import { findAffected, type FindAffectedDeps } from '../queries/find-affected';
import {
  exportVulnerabilities,
  type ExportVulnerabilitiesDeps,
} from '../queries/export-vulnerabilities';
import {
  groupVulnerabilities,
  type GroupVulnerabilitiesDeps,
} from '../queries/group-vulnerabilities';
import {
  listActive,
  summariseActive,
  listVulnerabilities,
  type ListVulnerabilitiesDeps,
} from '../queries/list-vulnerabilities';
import { listAlertPeriods, type ListAlertPeriodsDeps } from '../alert-periods/list-alert-periods';
import {
  listServiceStates,
  type ListServiceStatesDeps,
} from '../alert-periods/list-service-states';
import {
  listSbomVulnerabilities,
  type ListSbomVulnerabilitiesDeps,
} from '../queries/list-sbom-vulnerabilities';
import { readVulnerability, type ReadVulnerabilityDeps } from '../queries/read-vulnerability';
import { planRemediations, type PlanRemediationsDeps } from '../remediations/plan-remediations';
import { readStatistics, type ReadStatisticsDeps } from '../statistics/read-statistics';
import type { ScopeCounts } from '../queries/store/scope-counts';
import { packPages } from './pack-pages';

export type QueryHandlersDeps = FindAffectedDeps &
  ListSbomVulnerabilitiesDeps &
  ListVulnerabilitiesDeps &
  GroupVulnerabilitiesDeps &
  ExportVulnerabilitiesDeps &
  ReadVulnerabilityDeps &
  ListServiceStatesDeps &
  ListAlertPeriodsDeps &
  PlanRemediationsDeps &
  ReadStatisticsDeps & { scopeCounts: ScopeCounts };

/** Everything that is read: lists, counts, plans, statistics. */
export function queryHandlers(deps: QueryHandlersDeps): RpcTransport[] {
  return [
    answers(messages.listActive, (body) => listActive(deps, body)),
    answers(messages.listVulnerabilities, (body) => listVulnerabilities(deps, body)),
    answers(messages.readVulnerability, (body) => readVulnerability(deps, body)),
    answers(messages.findAffected, (body) => findAffected(deps, body)),
    answers(messages.summariseActive, (body) => summariseActive(deps, body)),
    answers(messages.countServices, ({ service_ids }) => deps.scopeCounts.ofServices(service_ids)),
    answers(messages.countSboms, ({ sboms }) => deps.scopeCounts.ofSboms(sboms)),
    handles(messages.exportVulnerabilities, async (body) => {
      const { items, next } = await exportVulnerabilities(deps, body);
      return { body: { next }, attachment: await packJson(JSON.stringify(items)) };
    }),
    answers(messages.groupVulnerabilities, (body) => groupVulnerabilities(deps, body)),
    handles(messages.listSbomVulnerabilities, async (body) => {
      const { count, attachment } = await packPages(listSbomVulnerabilities(deps, body));
      return { body: { count }, attachment };
    }),
    handles(messages.planRemediations, async (query) => {
      const { items, ...body } = await planRemediations(deps, query);
      return { body, attachment: await packJson(JSON.stringify(items)) };
    }),
    answers(messages.readStatistics, (body) => readStatistics(deps, body)),
    answers(messages.listServiceStates, (body) => listServiceStates(deps, body)),
    answers(messages.listAlertPeriods, (body) => listAlertPeriods(deps, body)),
  ];
}
