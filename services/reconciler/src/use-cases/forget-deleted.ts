import type { DeletionProgress } from '@bomtrail/messages';
import type { ForgetStore } from '../store/forget-store';

export interface ForgetDeletedDeps {
  forgotten: ForgetStore;
}

/**
 * Rows that are removed for one question, each with its entries in some twenty indexes: so few that a read
 * beside it waits for some milliseconds only.
 */
const batchSize = 25;

/**
 * A deleted project: no read shows anything of it when this resolves, no late scan and no acceptance
 * adds to it, and a batch of what is stored is removed, unless it is only to be hidden: then somebody
 * waits for the answer.
 */
export async function forgetDeletedProject(
  deps: ForgetDeletedDeps,
  { project_id, hide_only }: { project_id: string; hide_only?: boolean | undefined },
): Promise<DeletionProgress> {
  await deps.forgotten.hideProject(project_id);
  return hide_only ? { more: true } : deps.forgotten.purgeProject(project_id, batchSize);
}

/** The same for one service of a project that stays. */
export async function forgetDeletedLine(
  deps: ForgetDeletedDeps,
  line: { service_id: string; project_id: string; hide_only?: boolean | undefined },
): Promise<DeletionProgress> {
  await deps.forgotten.hideLine(line);
  return line.hide_only ? { more: true } : deps.forgotten.purgeLine(line.service_id, batchSize);
}
