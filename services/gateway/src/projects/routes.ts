import type {
  EmbeddedVexMode,
  LicensePolicy,
  ListCursor,
  ProjectView,
  Retention,
  ServiceLevels,
} from '@bomtrail/messages';
import { historyColumns, projectColumns } from '../csv/columns';
import { csvReply, partsAfter, wholePart, type ListFormat } from '../csv/csv-reply';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import type { OwnedBy } from './owned-services';
import * as projects from './manage-projects';
import { policyWarnings } from './policy-warnings';
import { json, nothing, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';

interface ProjectBody extends projects.GivenOwnership {
  name: string;
  description?: string | null;
  repo_url?: string | null;
  platform?: string | null;
  retention?: Partial<Retention> | null;
  service_levels?: ServiceLevels | null;
  license_policy?: LicensePolicy | null;
  ships_products?: boolean | null;
  embedded_vex?: EmbeddedVexMode | null;
}
type ProjectChanges = { [Field in keyof ProjectBody]?: ProjectBody[Field] | null };
type Filters = OwnedBy & { name?: string; slug?: string; platform?: string };
type ProjectPath = { project_id: string };
type HistoryQuery = PageRequest & ListFormat & { service_id?: string };

export function projectRoutes(deps: projects.AskDeps): Routes {
  return {
    listProjects: route<{ query: PageRequest & Filters & ListFormat }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { format, ...query } }) => {
        if (format !== 'csv')
          return json(pageEnvelope(await projects.listProjects(deps, caller, query), query));
        const parts = partsAfter<ProjectView, ListCursor>((after) =>
          projects.listProjects(deps, caller, { ...query, ...wholePart, after }),
        );
        return csvReply(parts, { name: 'projects', columns: projectColumns });
      },
    }),
    createProject: route<{ body: ProjectBody }>({
      receive: receiveJson,
      handle: async ({ body }) => {
        const { name, description = null, repo_url = null, platform = null } = body;
        const retention = wholeRetention(body.retention ?? null);
        const { service_levels = null, license_policy = null } = body;
        const ships_products = body.ships_products ?? false;
        const embedded_vex = body.embedded_vex ?? 'off';
        const limits = {
          retention,
          service_levels,
          license_policy,
          ships_products,
          embedded_vex,
        };
        const { owner, labels } = body;
        const ownership = { ...(owner && { owner }), ...(labels && { labels }) };
        const fields = { name, description, repo_url, platform, ...limits, ...ownership };
        const created = await projects.createProject(deps, fields);
        return { kind: 'json', body: created, warnings: policyWarnings(license_policy) };
      },
    }),
    getProject: route<{ path: ProjectPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        json(await projects.readProject(deps, caller, path.project_id)),
    }),
    updateProject: route<{ path: ProjectPath; body: ProjectChanges }>({
      receive: receiveJson,
      handle: async ({ caller, path, body }) => {
        const { name, retention, ships_products, embedded_vex, ...own } = body;
        const others = {
          ...own,
          ...(ships_products !== undefined && { ships_products: ships_products ?? false }),
          ...(embedded_vex !== undefined && { embedded_vex: embedded_vex ?? ('off' as const) }),
        };
        const clearable =
          retention === undefined ? others : { ...others, retention: wholeRetention(retention) };
        // null keeps the name and clears the other fields (docs/rules.md H7).
        const changes = name === null || name === undefined ? clearable : { name, ...clearable };
        const updated = await projects.updateProject(deps, caller, { ...path, changes });
        return { kind: 'json', body: updated, warnings: policyWarnings(body.license_policy) };
      },
    }),
    deleteProject: route<{ path: ProjectPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await projects.deleteProject(deps, caller, path.project_id);
        return nothing;
      },
    }),
    listProjectHistory: route<{ path: ProjectPath; query: HistoryQuery }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query: { format, ...query } }) => {
        const asked = { ...path, ...query };
        if (format !== 'csv')
          return json(pageEnvelope(await projects.listHistory(deps, caller, asked), query));
        const parts = partsAfter<projects.HistoryItem, ListCursor>((after) =>
          projects.listHistory(deps, caller, { ...asked, ...wholePart, after }),
        );
        return csvReply(parts, { name: 'history', columns: historyColumns });
      },
    }),
  };
}

/** An absent bound keeps nothing. */
function wholeRetention(given: Partial<Retention> | null): Retention | null {
  return given && { keep_last: given.keep_last ?? null, keep_days: given.keep_days ?? null };
}
