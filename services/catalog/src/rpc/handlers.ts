import * as messages from '@bomtrail/messages';
import { handles, packJson, type RpcTransport } from '@bomtrail/messaging';
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
    handles(messages.createProject, async (body) => ({ body: await createProject(body) })),
    handles(messages.updateProject, async (body) => ({ body: await updateProject(deps, body) })),
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
    handles(messages.listProjectHistory, async (body) => ({ body: await readHistory(deps, body) })),
    handles(messages.listServices, async (body) => ({ body: await listServicesOf(deps, body) })),
    handles(messages.updateService, async (body) => ({ body: await updateService(deps, body) })),
    handles(messages.findOwnedServices, async (body) => ({
      body: await findOwnedServices(deps, body),
    })),
    handles(messages.deleteService, async (body) => {
      await deleteService(deps, body);
      return { body: { deleted: true } };
    }),
    handles(messages.registerSbom, async (body) => ({ body: await registerSbom(body) })),
    handles(messages.getSbom, async (body) => ({ body: await readSbom(deps, body.sbom_id) })),
    handles(messages.findCheckScope, async (body) => ({ body: await findCheckScope(deps, body) })),
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
    handles(messages.nameServices, async (body) => ({
      body: await readServiceNames(deps, body.service_ids, body.project_ids),
    })),
    handles(messages.readNamesRevision, async () => ({
      body: { revision: await deps.names.read() },
    })),
    handles(messages.listServiceLevels, async ({ project_id }) => ({
      body: await listServiceLevels(deps, project_id),
    })),
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
    handles(messages.nameSboms, async (body) => ({
      body: await deps.sboms.versionsOf(body.sbom_ids),
    })),
    handles(messages.listAllServices, async (body) => ({
      body: await listServicesById(deps, body),
    })),
    handles(messages.listServiceSboms, async (body) => ({
      body: await listSbomsOfService(deps, body),
    })),
    handles(messages.findServicesUsing, async (body) => ({
      body: await findServicesUsing(deps, body),
    })),
    handles(messages.findServicesLicensed, async (query) => {
      const { items, ...body } = await findServicesLicensed(deps, query);
      return { body, attachment: await packJson(JSON.stringify(items)) };
    }),
    handles(messages.countUnscanned, async (body) => ({
      body: await deps.usage.unscanned(body.project_id),
    })),
    handles(messages.findReferences, async (body) => ({
      body: await deps.references.referredTo(body),
    })),
    ...importHandlers(deps),
    handles(messages.checkScope, async (body) => ({ body: await checkScopeExists(deps, body) })),
  ];
}

/** Reports of imports from other programs. */
function importHandlers(deps: ReadImportsDeps): RpcTransport[] {
  return [
    handles(messages.createImport, async (body) => ({ body: await createImport(deps, body) })),
    handles(messages.updateImport, async (body) => ({ body: await updateImport(deps, body) })),
    handles(messages.listImports, async (body) => ({ body: await listImports(deps, body) })),
    handles(messages.readImport, async (body) => ({ body: await readImport(deps, body) })),
    handles(messages.listImportedServices, async (body) => ({
      body: await listImportedServices(deps, body),
    })),
  ];
}
