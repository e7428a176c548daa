import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { actorOf } from '../access/actor-of';
import type { Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import {
  checkContent,
  type AcceptanceDeps,
  type Content,
} from '../vulnerabilities/manage-acceptances';

type GlobalAcceptance = components['schemas']['GlobalAcceptance'];

export interface NewGlobalAcceptance extends Content {
  vulnerability_id: string;
  reason: string;
}

/** One page of the decisions for all projects, newest first. */
export async function listGlobalAcceptances(
  deps: AcceptanceDeps,
  requested: PageRequest,
): Promise<messages.PageOf<GlobalAcceptance>> {
  const query = { ...requested, is_global: true };
  const { items, total } = (await deps.request(messages.listAcceptances, query)).body;
  return { items: items.map((one) => ({ ...shown(one), ...namesOf(one) })), total };
}

/**
 * Decides about a vulnerability in all projects.
 *
 * @throws AppError `vulnerability_not_found`, `acceptance_exists`
 */
export async function createGlobalAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  decision: NewGlobalAcceptance,
): Promise<GlobalAcceptance> {
  checkContent(decision, decision.decision ?? 'risk_accepted');
  const request = { ...decision, created_by: actorOf(caller) };
  return shown((await deps.request(messages.createGlobalAcceptance, request)).body);
}

/** @throws AppError `acceptance_not_found` */
export async function deleteGlobalAcceptance(
  deps: AcceptanceDeps,
  acceptance_id: string,
): Promise<void> {
  await deps.request(messages.deleteAcceptance, { acceptance_id, is_global: true });
}

function shown(one: messages.AcceptanceView): GlobalAcceptance {
  return {
    id: one.id,
    vulnerability_id: one.vulnerability_id,
    decision: one.decision,
    reason: one.reason,
    justification: one.justification,
    detail: one.detail,
    ticket_url: one.ticket_url,
    assignee: one.assignee,
    expires_at: one.expires_at,
    created_by: one.created_by,
    created_at: one.created_at,
    updated_at: one.updated_at,
  };
}

function namesOf({
  cve_id,
  package_name,
}: messages.ListedAcceptance): Pick<GlobalAcceptance, 'cve_id' | 'package_name'> {
  return { cve_id, package_name };
}
