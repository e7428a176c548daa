import type { PageOf } from '@bomtrail/messages';
import { pageWindow } from '@bomtrail/messages';
import { outcomeWord, type OutcomeWord, type Resources } from './domain/audit-entry';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import type {
  AuditedPerson,
  AuditEntryDocument,
  AuditFilters,
  AuditStore,
  Protocol,
} from './store/audit-store';
import { orUnavailable } from '../shared/or-unavailable';

export interface ListAuditDeps {
  audit: Pick<AuditStore, 'list'>;
}

/** The contract's AuditEntry. */
export interface AuditEntryView {
  id: string;
  at: string;
  key_id: string | null;
  key_prefix: string | null;
  key_name: string | null;
  person: Omit<AuditedPerson, 'id'> | null;
  protocol: Protocol;
  operation: string;
  method: string | null;
  path: string | null;
  project_id: string | null;
  resources: Resources;
  request_id: string;
  client_address: string | null;
  outcome: OutcomeWord;
  status: number | null;
  code: string | null;
  completed_at: string | null;
}

/** Audit entries, newest first; for a bound caller those of its project. */
export async function listAudit(
  deps: ListAuditDeps,
  caller: Caller,
  requested: PageRequest & Omit<AuditFilters, 'project_id'> & { project_id?: string | undefined },
): Promise<PageOf<AuditEntryView>> {
  const scope = narrowed(caller, requested.project_id);
  if (scope === 'nothing') return { items: [], total: 0 };
  const { key_id, operation, from, to } = requested;
  const filters = { key_id, operation, from, to, project_id: scope.projectId };
  const { items, total } = await orUnavailable(deps.audit.list(filters, pageWindow(requested)));
  return { items: items.map(auditEntryView), total };
}

function auditEntryView(entry: AuditEntryDocument): AuditEntryView {
  const { key, person, resources, outcome } = entry;
  const response = outcome?.kind === 'responded' ? outcome : null;
  return {
    id: entry._id,
    at: entry.at.toISOString(),
    key_id: key?.id ?? null,
    key_prefix: key?.prefix ?? null,
    key_name: key?.name ?? null,
    person: person ? personView(person) : null,
    protocol: entry.protocol,
    operation: entry.operation,
    method: entry.method,
    path: entry.path,
    project_id: resources.project_id ?? null,
    resources,
    request_id: entry.request_id,
    client_address: entry.client,
    outcome: outcomeWord(outcome),
    status: response?.status ?? null,
    code: response?.code ?? null,
    completed_at: outcome?.at.toISOString() ?? null,
  };
}

function personView({ id: _id, ...person }: AuditedPerson): Omit<AuditedPerson, 'id'> {
  return person;
}
