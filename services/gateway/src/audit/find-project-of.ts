import {
  getSbom,
  listAlertRules,
  nameServices,
  readBulkDecision,
  readDecisionRule,
} from '@bomtrail/messages';
import { withTimeout } from '@bomtrail/concurrency';
import type { Request } from '@bomtrail/messaging';
import type { Resources } from './domain/audit-entry';

/** Short, because the result is only for the audit entry. */
const patienceMs = 1_000;

/**
 * The project of an SBOM, a standing rule, a bulk decision, an alert rule, or else of a service; null if its service does not
 * respond in time.
 */
export async function findProjectOf(
  deps: { request: Request },
  about: Resources,
): Promise<string | null> {
  return withTimeout(projectOf(deps, about), patienceMs).catch(() => null);
}

async function projectOf(
  { request }: { request: Request },
  { sbom_id, rule_id, bulk_id, alert_id, service_id }: Resources,
): Promise<string | null> {
  if (sbom_id) return (await request(getSbom, { sbom_id })).body.project_id;
  const of_project = null;
  if (rule_id) return (await request(readDecisionRule, { rule_id, of_project })).body.project_id;
  if (bulk_id) return (await request(readBulkDecision, { bulk_id, of_project })).body.project_id;
  if (alert_id) {
    const { items } = (await request(listAlertRules, { alert_id, page: 1, per_page: 1 })).body;
    return items.find(({ id }) => id === alert_id)?.project_id ?? null;
  }
  if (!service_id) return null;
  const { body } = await request(nameServices, { service_ids: [service_id] });
  return body[0]?.project_id ?? null;
}
