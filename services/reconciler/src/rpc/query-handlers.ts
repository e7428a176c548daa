import * as messages from '@bomtrail/messages';
import { handles, packJson, type RpcTransport } from '@bomtrail/messaging';
import { findAffected, type FindAffectedDeps } from '../queries/find-affected';
import {
  exportVulnerabilities,
  type ExportVulnerabilitiesDeps,
} from '../queries/export-vulnerabilities';
import {
  groupVulnerabilities,
  type GroupVulnerabilitiesDeps,
} from '../queries/group-vulnerabilities';
import { listActive, summariseActive } from '../queries/list-active';
import { listAlertPeriods, type ListAlertPeriodsDeps } from '../alert-periods/list-alert-periods';
import {
  listServiceStates,
  type ListServiceStatesDeps,
} from '../alert-periods/list-service-states';
import {
  listSbomVulnerabilities,
  type ListSbomVulnerabilitiesDeps,
} from '../queries/list-sbom-vulnerabilities';
import { listVulnerabilities, type ListVulnerabilitiesDeps } from '../queries/list-vulnerabilities';
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
    handles(messages.listActive, async (body) => ({ body: await listActive(deps, body) })),
    handles(messages.listVulnerabilities, async (body) => ({
      body: await listVulnerabilities(deps, body),
    })),
    handles(messages.readVulnerability, async (body) => ({
      body: await readVulnerability(deps, body),
    })),
    handles(messages.findAffected, async (body) => ({ body: await findAffected(deps, body) })),
    handles(messages.summariseActive, async (body) => ({
      body: await summariseActive(deps, body),
    })),
    handles(messages.countServices, async ({ service_ids }) => ({
      body: await deps.scopeCounts.ofServices(service_ids),
    })),
    handles(messages.countSboms, async ({ sboms }) => ({
      body: await deps.scopeCounts.ofSboms(sboms),
    })),
    handles(messages.exportVulnerabilities, async (body) => {
      const { items, next } = await exportVulnerabilities(deps, body);
      return { body: { next }, attachment: await packJson(JSON.stringify(items)) };
    }),
    handles(messages.groupVulnerabilities, async (body) => ({
      body: await groupVulnerabilities(deps, body),
    })),
    handles(messages.listSbomVulnerabilities, async (body) => {
      const { count, attachment } = await packPages(listSbomVulnerabilities(deps, body));
      return { body: { count }, attachment };
    }),
    handles(messages.planRemediations, async (query) => {
      const { items, ...body } = await planRemediations(deps, query);
      return { body, attachment: await packJson(JSON.stringify(items)) };
    }),
    handles(messages.readStatistics, async (body) => ({
      body: await readStatistics(deps, body),
    })),
    handles(messages.listServiceStates, async (body) => ({
      body: await listServiceStates(deps, body),
    })),
    handles(messages.listAlertPeriods, async (body) => ({
      body: await listAlertPeriods(deps, body),
    })),
  ];
}
