import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { ExportStatement } from '@bomtrail/vex';
import { partsAfter } from '../csv/csv-reply';

const decisionsAtOnce = 200;

/** The decisions with these ids; those for all projects are not among them. */
export async function decisionsOf(
  { request }: { request: Request },
  project_id: string,
  wanted: ReadonlySet<string>,
): Promise<Map<string, messages.AcceptanceView>> {
  const found = new Map<string, messages.AcceptanceView>();
  for (const source of [undefined, 'rule'] as const)
    await addFound({ request }, { project_id, source }, { wanted, found });
  return found;
}

async function addFound(
  { request }: { request: Request },
  scope: { project_id: string; source: 'rule' | undefined },
  { wanted, found }: { wanted: ReadonlySet<string>; found: Map<string, messages.AcceptanceView> },
): Promise<void> {
  const parts = partsAfter<messages.ListedAcceptance, messages.ListCursor>(async (after) => {
    const query = { ...scope, page: 1, per_page: decisionsAtOnce, after };
    return (await request(messages.listAcceptances, query)).body;
  });
  for await (const part of parts) {
    for (const one of part) if (wanted.has(one.id)) found.set(one.id, one);
    if (found.size === wanted.size) break;
  }
}

/** What a decision says, for an export. @param since the time of a decision for all projects, which is not listed */
export function contentOf(
  { acceptance_id, decision }: messages.DecisionReference,
  known: ReadonlyMap<string, messages.AcceptanceView>,
  since: string,
): Omit<ExportStatement, 'id' | 'vulnerability' | 'product' | 'components'> {
  const view = known.get(acceptance_id);
  return {
    decision,
    justification: view?.justification ?? null,
    detail: view?.reason ?? 'Decided for all projects.',
    issued_at: view?.created_at ?? since,
    updated_at: view?.updated_at ?? since,
  };
}
