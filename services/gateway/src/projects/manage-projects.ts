import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { components } from '@bomtrail/api-contract';
import { publicService } from '../shared/public-service';
import type { Request } from '@bomtrail/messaging';
import { maySee, narrowed, scopeOf, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import { readCoverageOfLists } from './coverage-of-lists';
import { ownershipFilter, type OwnedBy } from './owned-services';

export interface AskDeps {
  request: Request;
}

type ProjectFields = Pick<
  messages.ProjectView,
  | 'name'
  | 'description'
  | 'repo_url'
  | 'platform'
  | 'retention'
  | 'service_levels'
  | 'license_policy'
  | 'ships_products'
  | 'embedded_vex'
> &
  GivenOwnership;
type ProjectFilters = OwnedBy & { name?: string; slug?: string; platform?: string };

/** Owner and labels; absent fields stay, null clears. */
export interface GivenOwnership {
  owner?: string | null;
  labels?: string[] | null;
}

/** @throws AppError of the catalog */
export async function createProject(
  deps: AskDeps,
  fields: ProjectFields,
): Promise<messages.ProjectView> {
  const { body } = await deps.request(messages.createProject, fields);
  await followEmbedded(deps, body, fields.embedded_vex !== 'off');
  return body;
}

/** @throws AppError `project_not_found` */
export async function readProject(
  deps: AskDeps,
  caller: Caller,
  projectId: string,
): Promise<messages.ProjectView> {
  expectVisible(caller, projectId);
  const named = { project_id: projectId, project_slug: null };
  return (await deps.request(messages.getProject, named)).body;
}

/**
 * Lists the projects that exist for the caller.
 */
export async function listProjects(
  deps: AskDeps,
  caller: Caller,
  {
    owner,
    label,
    ...requested
  }: PageRequest & ProjectFilters & { after?: messages.ListCursor | null },
): Promise<messages.PartOf<messages.ProjectView>> {
  const asked = { ...requested, ...ownershipFilter({ owner, label }) };
  if (caller.projects === 'all') return (await deps.request(messages.listProjects, asked)).body;
  const scope = narrowed(caller, undefined);
  if (scope === 'nothing') return { items: [], total: 0 };
  const query = { ...asked, project_id: scope.projectId };
  const { body } = await deps.request(messages.listProjects, query);
  // An older catalog ignores the filter.
  return body.items.every(({ id }) => maySee(caller, id)) ? body : { items: [], total: 0 };
}

/** @throws AppError `project_not_found`, `project_name_taken` */
export async function updateProject(
  deps: AskDeps,
  caller: Caller,
  update: { project_id: string; changes: Partial<ProjectFields> },
): Promise<messages.ProjectView> {
  expectVisible(caller, update.project_id);
  const { body } = await deps.request(messages.updateProject, update);
  await followEmbedded(deps, body, update.changes.embedded_vex !== undefined);
  return body;
}

/** Tells the reconciler what a project does with statements in SBOMs; a repeated request completes it. */
async function followEmbedded(
  deps: AskDeps,
  { id: project_id, embedded_vex: mode }: messages.ProjectView,
  isSet: boolean,
): Promise<void> {
  if (isSet) await deps.request(messages.setEmbeddedVex, { project_id, mode });
}

/** @throws AppError `project_not_found`, also for all but one of parallel deletes */
export async function deleteProject(
  deps: AskDeps,
  caller: Caller,
  projectId: string,
): Promise<void> {
  expectVisible(caller, projectId);
  await deps.request(messages.deleteProject, { project_id: projectId });
}

export type HistoryItem = components['schemas']['ProjectSBOMHistoryItem'];
type HistoryRequest = PageRequest & {
  project_id: string;
  service_id?: string;
  after?: messages.ListCursor | null;
};

/** @throws AppError `project_not_found` */
export async function listHistory(
  deps: AskDeps,
  caller: Caller,
  requested: HistoryRequest,
): Promise<messages.PartOf<HistoryItem>> {
  expectVisible(caller, requested.project_id);
  const { body } = await deps.request(messages.listProjectHistory, requested);
  const scanned = body.items.filter(({ scan_status }) => scan_status === 'scanned');
  const sboms = scanned.map(({ id: sbom_id, service_id, seq }) => ({ sbom_id, service_id, seq }));
  const [counted, coverageOf] = await Promise.all([
    sboms.length === 0 ? [] : deps.request(messages.countSboms, { sboms }).then((one) => one.body),
    readCoverageOfLists(
      deps,
      scanned.map(({ digest }) => digest),
    ),
  ]);
  const countsOf = new Map(counted.map(({ sbom_id, counts }) => [sbom_id, counts]));
  const items = body.items.map(({ seq: _seq, digest, ...item }): HistoryItem => {
    const counts = countsOf.get(item.id) ?? null;
    return { ...item, ...publicService(item), counts, coverage: coverageOf(digest) };
  });
  return { ...body, items };
}

type Service = components['schemas']['ServiceResponse'];

function noCounts(): messages.SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
}

/** The services of a project, by name; none if the project does not exist for this caller. */
export async function listServices(
  deps: AskDeps,
  caller: Caller,
  { project_id, ...by }: OwnedBy & { project_id: string },
): Promise<Service[]> {
  if (!maySee(caller, project_id)) return [];
  const asked = { project_id, ...ownershipFilter(by) };
  const { body } = await deps.request(messages.listServices, asked);
  return publicServices(deps, body);
}

/** With what is open in each, and how much of its newest SBOM that is based on. */
async function publicServices(
  deps: AskDeps,
  body: readonly messages.ServiceView[],
): Promise<Service[]> {
  const [counts, coverageOf] = await Promise.all([
    readCounts(deps, body),
    readCoverageOfLists(
      deps,
      body.map(({ latest_sbom }) => latest_sbom?.digest),
    ),
  ]);
  return body.map(({ latest_sbom, ...service }) => {
    const counted = { ...service, counts: counts.get(service.id) ?? noCounts() };
    if (!latest_sbom) return { ...counted, latest_sbom };
    const { digest, ...newest } = latest_sbom;
    return { ...counted, latest_sbom: { ...newest, coverage: coverageOf(digest) } };
  });
}

async function readCounts(
  deps: AskDeps,
  services: readonly messages.ServiceView[],
): Promise<ReadonlyMap<string, messages.SeverityCounts>> {
  const countsOf = new Map<string, messages.SeverityCounts>();
  for (let from = 0; from < services.length; from += messages.maxCountedServices) {
    const some = services.slice(from, from + messages.maxCountedServices);
    const service_ids = some.map(({ id }) => id);
    const counted = await deps.request(messages.countServices, { service_ids });
    for (const { service_id, counts } of counted.body) countsOf.set(service_id, counts);
  }
  return countsOf;
}

/** Changes who is responsible for a service. @throws AppError `service_not_found` */
export async function updateService(
  deps: AskDeps,
  caller: Caller,
  update: { service_id: string; changes: GivenOwnership },
): Promise<Service | undefined> {
  const asked = { ...update, project_id: scopeOf(caller) };
  const { body } = await deps.request(messages.updateService, asked);
  const [service] = await publicServices(deps, [body]);
  return service;
}

/** @throws AppError `service_not_found`, `service_has_sboms` */
export async function deleteService(
  deps: AskDeps,
  caller: Caller,
  requested: { service_id: string; cascade: boolean },
): Promise<void> {
  await deps.request(messages.deleteService, { ...requested, project_id: scopeOf(caller) });
}

function expectVisible(caller: Caller, projectId: string): void {
  if (!maySee(caller, projectId)) throw new AppError('project_not_found');
}
