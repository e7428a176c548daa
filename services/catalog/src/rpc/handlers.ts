import * as messages from '@bomtrail/messages';
import { answers, handles, packJson, type RpcTransport } from '@bomtrail/messaging';
import { ownershipKeys } from '../domain/ownership';
import { positionAfter } from '../store/newest-first';
import type { NamesRevision } from '../store/names-revision';
import type { OwnedServices } from '../store/owned-services';
import type { ProjectStore } from '../store/project-store';
import { createCreateProject } from '../use-cases/create-project';
import { deleteProject } from '../use-cases/delete-project';
import { deleteSbom, type DeleteSbomDeps } from '../use-cases/delete-sbom';
import { deleteService } from '../use-cases/delete-service';
import type { DropRecordsDeps } from '../use-cases/drop-records';
import { findCheckScope, type FindCheckScopeDeps } from '../use-cases/find-check-scope';
import {
  findServicesLicensed,
  type FindServicesLicensedDeps,
} from '../use-cases/find-services-licensed';
import { findServicesUsing, type FindServicesUsingDeps } from '../use-cases/find-services-using';
import { findOwnedServices } from '../use-cases/find-owned-services';
import { findProject } from '../use-cases/find-project';
import type { HideDeletedDeps } from '../use-cases/hide-deleted';
import { findBaseline, recordGateOutcome, type GateBaselineDeps } from '../use-cases/gate-baseline';
import {
  listImportedServices,
  listImports,
  readImport,
  type ReadImportsDeps,
} from '../use-cases/read-imports';
import { createImport, updateImport } from '../use-cases/report-import';
import { listServiceLevels } from '../use-cases/list-service-levels';
import { listServicesById, listSbomsOfService } from '../use-cases/list-all-services';
import {
  checkScopeExists,
  readHistory,
  readServiceNames,
  readSbom,
} from '../use-cases/read-catalog';
import { createRegisterSbom, type RegisterSbomDeps } from '../use-cases/register-sbom';
import { requestRescans } from '../use-cases/request-rescans';
import { listServicesOf } from '../use-cases/list-services-of';
import { updateProject } from '../use-cases/update-project';
import { updateService } from '../use-cases/update-service';
import { projectView } from '../use-cases/views';

/** Handlers of all requests to the catalog. */
export function catalogHandlers(
  deps: RegisterSbomDeps &
    DeleteSbomDeps &
    HideDeletedDeps &
    DropRecordsDeps &
    FindServicesLicensedDeps &
    FindServicesUsingDeps &
    FindCheckScopeDeps &
    GateBaselineDeps &
    ReadImportsDeps & { projects: ProjectStore; owned: OwnedServices; names: NamesRevision },
): RpcTransport[] {
  const registerSbom = createRegisterSbom(deps);
  const createProject = createCreateProject(deps);
  return [
    answers(messages.createProject, (body) => createProject(body)),
    answers(messages.updateProject, (body) => updateProject(deps, body)),
    handles(messages.deleteProject, async (body) => {
      await deleteProject(deps, body.project_id);
      return { body: { deleted: true } };
    }),
    handles(messages.getProject, async (body) => ({
      body: projectView(await findProject(deps, body)),
    })),
    handles(messages.listProjects, async (body) => {
      const part = { ...messages.pageWindow(body), after: body.after };
      const { items, total } = await deps.projects.list(
        { ...body, owned: ownershipKeys(body) },
        part,
      );
      const next = positionAfter(items, part);
      return { body: { items: items.map(projectView), total, next } };
    }),
    answers(messages.listProjectHistory, (body) => readHistory(deps, body)),
    answers(messages.listServices, (body) => listServicesOf(deps, body)),
    answers(messages.updateService, (body) => updateService(deps, body)),
    answers(messages.findOwnedServices, (body) => findOwnedServices(deps, body)),
    handles(messages.deleteService, async (body) => {
      await deleteService(deps, body);
      return { body: { deleted: true } };
    }),
    answers(messages.registerSbom, (body) => registerSbom(body)),
    answers(messages.getSbom, (body) => readSbom(deps, body.sbom_id)),
    answers(messages.findCheckScope, (body) => findCheckScope(deps, body)),
    handles(messages.findBaseline, async (body) => ({
      body: { baseline: await findBaseline(deps, body) },
    })),
    handles(messages.recordGateOutcome, async (body) => {
      await recordGateOutcome(deps, body);
      return { body: { recorded: true } };
    }),
    handles(messages.listFinished, async ({ sbom_ids }) => ({
      body: { sbom_ids: await deps.sboms.notPending(sbom_ids) },
    })),
    handles(messages.deleteSbom, async (body) => {
      await deleteSbom(deps, body.sbom_id);
      return { body: { deleted: true } };
    }),
    handles(messages.requestRescans, async (change) => ({
      body: { services: await requestRescans(deps, change) },
    })),
    answers(messages.nameServices, (body) =>
      readServiceNames(deps, body.service_ids, body.project_ids),
    ),
    handles(messages.readNamesRevision, async () => ({
      body: { revision: await deps.names.read() },
    })),
    answers(messages.listServiceLevels, ({ project_id }) => listServiceLevels(deps, project_id)),
    handles(messages.nameProjects, async ({ project_ids }) => {
      const projects = await deps.projects.namesOf([...new Set(project_ids)]);
      return {
        body: projects.map(({ _id: project_id, name: project_name, slug: project_slug }) => ({
          project_id,
          project_name,
          project_slug,
        })),
      };
    }),
    answers(messages.nameSboms, (body) => deps.sboms.versionsOf(body.sbom_ids)),
    answers(messages.listAllServices, (body) => listServicesById(deps, body)),
    answers(messages.listServiceSboms, (body) => listSbomsOfService(deps, body)),
    answers(messages.findServicesUsing, (body) => findServicesUsing(deps, body)),
    handles(messages.findServicesLicensed, async (query) => {
      const { items, ...body } = await findServicesLicensed(deps, query);
      return { body, attachment: await packJson(JSON.stringify(items)) };
    }),
    answers(messages.countUnscanned, (body) => deps.usage.unscanned(body.project_id)),
    answers(messages.findReferences, (body) => deps.references.referredTo(body)),
    ...importHandlers(deps),
    answers(messages.checkScope, (body) => checkScopeExists(deps, body)),
  ];
}

/** Reports of imports from other programs. */
function importHandlers(deps: ReadImportsDeps): RpcTransport[] {
  return [
    answers(messages.createImport, (body) => createImport(deps, body)),
    answers(messages.updateImport, (body) => updateImport(deps, body)),
    answers(messages.listImports, (body) => listImports(deps, body)),
    answers(messages.readImport, (body) => readImport(deps, body)),
    answers(messages.listImportedServices, (body) => listImportedServices(deps, body)),
  ];
}
