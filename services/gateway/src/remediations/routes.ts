import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';
import { pageEnvelope } from '../shared/page-envelope';
import {
  listRemediations,
  type ListRemediationsDeps,
  type RemediationQuery,
} from './list-remediations';

/** The upgrade plan. */
export function remediationRoutes(deps: ListRemediationsDeps): Routes {
  return {
    listRemediations: route<{ query: RemediationQuery }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) => {
        const plan = await listRemediations(deps, caller, query);
        const { complete, closes, remains, advisory_data } = plan;
        return json({ ...pageEnvelope(plan, query), complete, closes, remains, advisory_data });
      },
    }),
  };
}
