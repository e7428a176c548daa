import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { handles, packJson, type RpcTransport } from '@bomtrail/messaging';
import type { ApplyAcceptanceDeps } from '../decisions/apply-acceptance';
import { createAcceptance, createGlobalAcceptance } from '../decisions/create-acceptance';
import { decideInBulk, readBulkDecision, type DecideInBulkDeps } from '../decisions/decide-in-bulk';
import { deleteBulkDecision } from '../decisions/delete-bulk';
import { deleteAcceptance } from '../decisions/delete-acceptance';
import * as rules from '../decisions/decision-rules';
import { updateAcceptance } from '../decisions/update-acceptance';
import { listAcceptances, type ListAcceptancesDeps } from '../decisions/list-acceptances';
import {
  deleteServiceFor,
  deleteProjectFor,
  type DeletionDeps,
} from '../deletion/delete-for-deleted';
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
import { judgeComponents, type JudgeComponentsDeps } from '../queries/judge-components';
import { countSbomFindings } from '../queries/count-sbom-findings';
import { listSbomVulnerabilities } from '../queries/list-sbom-vulnerabilities';
import { listVulnerabilities, type ListVulnerabilitiesDeps } from '../queries/list-vulnerabilities';
import { readVulnerability, type ReadVulnerabilityDeps } from '../queries/read-vulnerability';
import { planRemediations, type PlanRemediationsDeps } from '../remediations/plan-remediations';
import { readStatistics, type ReadStatisticsDeps } from '../statistics/read-statistics';
import type { ScopeCounts } from '../queries/store/scope-counts';
import type { ReconcileSbomDeps } from '../tracking/reconcile-sbom';
import { deleteVex } from '../vex/delete-vex';
import { setEmbeddedVex } from '../vex/embedded-vex';
import type { VexFollower } from '../vex/follow-service';
import { importVex, type ImportVexDeps } from '../vex/import-vex';
import { listVex, readVexDocument } from '../vex/read-vex-document';
import { removeSboms } from '../tracking/remove-sbom';
import { packPages } from './pack-pages';

const zip = promisify(gzip);

/** All request handlers of the reconciler. */
export function reconcilerHandlers(
  deps: ReconcileSbomDeps &
    ApplyAcceptanceDeps &
    DecideInBulkDeps &
    rules.DecisionRulesDeps &
    FindAffectedDeps &
    ListVulnerabilitiesDeps &
    GroupVulnerabilitiesDeps &
    ExportVulnerabilitiesDeps &
    ReadVulnerabilityDeps &
    ListServiceStatesDeps &
    ListAlertPeriodsDeps &
    PlanRemediationsDeps &
    ReadStatisticsDeps &
    JudgeComponentsDeps &
    ListAcceptancesDeps &
    ImportVexDeps &
    DeletionDeps & { scopeCounts: ScopeCounts; vex: VexFollower },
): RpcTransport[] {
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
    handles(messages.countFindings, async (body) => {
      const { counts, failing } = await countSbomFindings(deps, body);
      const snapshot = JSON.stringify(failing.slice(0, messages.maxFailingReturned));
      return { body: counts, attachment: await zip(snapshot, { level: 1 }) };
    }),
    handles(messages.judgeComponents, async (query, attachment) => {
      if (!attachment) throw new messages.AppError('malformed_body', 'The components are missing.');
      const { match, pages, judged } = await judgeComponents(deps, query, attachment);
      const { count: total, attachment: all } = await packPages(pages());
      const { counts: found, failing } = judged();
      const worst = await zip(JSON.stringify(failing), { level: 1 });
      return {
        body: { ...match, found, total, failing_bytes: worst.byteLength },
        attachment: Buffer.concat([worst, all]),
      };
    }),
    handles(messages.removeSbom, async ({ sbom_id, finished = false, ...service }) => {
      await removeSboms(deps, { ...service, sbom_ids: [sbom_id], finished });
      await deps.vex.afterChange(service);
      return { body: { removed: true } };
    }),
    handles(messages.removeSboms, async ({ finished = false, ...removal }) => {
      await removeSboms(deps, { ...removal, finished });
      await deps.vex.afterChange(removal);
      return { body: { removed: true } };
    }),
    handles(messages.expireSboms, async ({ service_id, sbom_ids }) => {
      await deps.states.expire(service_id, sbom_ids);
      return { body: { expired: true } };
    }),
    handles(messages.deleteProjectData('reconciler'), async (body) => ({
      body: await deleteProjectFor(deps, body),
    })),
    handles(messages.deleteServiceData, async (body) => ({
      body: await deleteServiceFor(deps, body),
    })),
    handles(messages.createAcceptance, async (body) => ({
      body: await createAcceptance(deps, body),
    })),
    handles(messages.updateAcceptance, async (body) => ({
      body: await updateAcceptance(deps, body),
    })),
    handles(messages.createGlobalAcceptance, async (body) => ({
      body: await createGlobalAcceptance(deps, body),
    })),
    handles(messages.createDecisionRule, async (body) => ({
      body: await rules.createRule(deps, body),
    })),
    handles(messages.listDecisionRules, async (body) => ({
      body: await rules.listRules(deps, body),
    })),
    handles(messages.readDecisionRule, async (body) => ({
      body: await rules.readRule(deps, body),
    })),
    handles(messages.updateDecisionRule, async (body) => ({
      body: await rules.updateRule(deps, body),
    })),
    handles(messages.deleteDecisionRule, async (body) => {
      await rules.deleteRule(deps, body);
      return { body: { deleted: true } };
    }),
    handles(messages.decideInBulk, async (body) => ({ body: await decideInBulk(deps, body) })),
    handles(messages.readBulkDecision, async (body) => ({
      body: await readBulkDecision(deps, body),
    })),
    handles(messages.deleteBulkDecision, async (body) => {
      await deleteBulkDecision(deps, body);
      return { body: { deleted: true } };
    }),
    handles(messages.listAcceptances, async (body) => ({
      body: await listAcceptances(deps, body),
    })),
    handles(messages.deleteAcceptance, async (body) => {
      await deleteAcceptance(deps, body);
      return { body: { deleted: true } };
    }),
    handles(messages.importVex, async (body, attachment) => ({
      body: await importVex(deps, body, attachment),
    })),
    handles(messages.setEmbeddedVex, async (body) => ({ body: await setEmbeddedVex(deps, body) })),
    handles(messages.listVex, async (body) => ({ body: await listVex(deps, body) })),
    handles(messages.readVexDocument, async (body) => ({
      body: await readVexDocument(deps, body),
    })),
    handles(messages.deleteVex, async (body) => {
      await deleteVex(deps, body);
      return { body: { deleted: true } };
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
