import * as messages from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import type { ProjectStore } from '../store/project-store';
import { createProject } from '../use-cases/create-project';
import { deleteProject } from '../use-cases/delete-project';
import { deleteSbom, type DeleteSbomDeps } from '../use-cases/delete-sbom';
import { deleteService } from '../use-cases/delete-service';
import type { DropRecordsDeps } from '../use-cases/drop-records';
import { findHolders, type FindHoldersDeps } from '../use-cases/find-holders';
import { findProject } from '../use-cases/find-project';
import type { HideDeletedDeps } from '../use-cases/hide-deleted';
import { findBaseline, recordGateOutcome, type GateBaselineDeps } from '../use-cases/gate-baseline';
import { listLinesById, listSbomsOfLine } from '../use-cases/list-lines';
import { checkScopeExists, readHistory, readLineNames, readSbom } from '../use-cases/read-catalog';
import { createRegisterSbom, type RegisterSbomDeps } from '../use-cases/register-sbom';
import { requestRescans } from '../use-cases/request-rescans';
import { updateProject } from '../use-cases/update-project';
import { projectView } from '../use-cases/views';

/** Every question that the catalog answers. */
export function catalogAnswers(
  deps: RegisterSbomDeps &
    DeleteSbomDeps &
    HideDeletedDeps &
    DropRecordsDeps &
    FindHoldersDeps &
    GateBaselineDeps & { projects: ProjectStore },
): RpcDoor[] {
  const registerSbom = createRegisterSbom(deps);
  return [
    answers(messages.createProject, async (body) => ({ body: await createProject(deps, body) })),
    answers(messages.updateProject, async (body) => ({ body: await updateProject(deps, body) })),
    answers(messages.deleteProject, async (body) => {
      await deleteProject(deps, body.project_id);
      return { body: { deleted: true } };
    }),
    answers(messages.getProject, async (body) => ({
      body: projectView(await findProject(deps, body)),
    })),
    answers(messages.listProjects, async (body) => {
      const { items, total } = await deps.projects.list(body, messages.pageWindow(body));
      return { body: { items: items.map(projectView), total } };
    }),
    answers(messages.listProjectHistory, async (body) => ({ body: await readHistory(deps, body) })),
    answers(messages.listServices, async (body) => {
      const lines = await deps.lines.servicesOf(body.project_id);
      return {
        body: lines.map((line) => ({
          id: line._id,
          name: line.name ?? '',
          project_id: line.project_id,
        })),
      };
    }),
    answers(messages.deleteService, async (body) => {
      await deleteService(deps, body);
      return { body: { deleted: true } };
    }),
    answers(messages.registerSbom, async (body) => ({ body: await registerSbom(body) })),
    answers(messages.getSbom, async (body) => ({ body: await readSbom(deps, body.sbom_id) })),
    answers(messages.findBaseline, async (body) => ({
      body: { baseline: await findBaseline(deps, body) },
    })),
    answers(messages.recordGateOutcome, async (body) => {
      await recordGateOutcome(deps, body);
      return { body: { recorded: true } };
    }),
    answers(messages.listSettled, async ({ sbom_ids }) => ({
      body: { sbom_ids: await deps.sboms.notPending(sbom_ids) },
    })),
    answers(messages.deleteSbom, async (body) => {
      await deleteSbom(deps, body.sbom_id);
      return { body: { deleted: true } };
    }),
    answers(messages.requestRescans, async ({ packages = null, ...change }) => ({
      body: { lines: await requestRescans(deps, { ...change, packages }) },
    })),
    answers(messages.requestRescansOfSet, async ({ digest, revision }) => {
      const change = { digests: [digest], revision, changed_at: null, packages: null };
      return { body: { lines: await requestRescans(deps, change) } };
    }),
    answers(messages.nameLines, async (body) => ({
      body: await readLineNames(deps, body.line_ids),
    })),
    answers(messages.nameSboms, async (body) => ({
      body: await deps.sboms.versionsOf(body.sbom_ids),
    })),
    answers(messages.listLines, async (body) => ({ body: await listLinesById(deps, body) })),
    answers(messages.listLineSboms, async (body) => ({
      body: await listSbomsOfLine(deps, body),
    })),
    answers(messages.findPackageHolders, async (body) => ({ body: await findHolders(deps, body) })),
    answers(messages.countUnscanned, async (body) => ({
      body: await deps.holders.unscanned(body.project_id),
    })),
    answers(messages.findReferences, async (body) => ({
      body: await deps.references.referredTo(body),
    })),
    answers(messages.checkScope, async (body) => ({ body: await checkScopeExists(deps, body) })),
  ];
}
