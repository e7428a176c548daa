import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import { listAudit, type ListAuditDeps } from './list-audit';
import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

interface AuditQuery extends PageRequest {
  key_id?: string;
  project_id?: string;
  operation?: string;
  from?: string;
  to?: string;
}

/** For keys with the scope `admin`. */
export function auditRoutes(deps: ListAuditDeps): Routes {
  return {
    listAuditEntries: route<{ query: AuditQuery }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) => {
        const { from, to, ...requested } = query;
        const found = await listAudit(deps, caller, {
          ...requested,
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
        });
        return json(pageEnvelope(found, query));
      },
    }),
  };
}
