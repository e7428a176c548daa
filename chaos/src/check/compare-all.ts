import { createHash } from 'node:crypto';
import { createApiClient, type Target } from '@bomtrail/api-client';
import { compareProject, collectionsContaining } from '@bomtrail/reference-model';
import { eventually } from '@bomtrail/testkit';
import type { Caller } from '../load/caller';
import type { DrivenProject } from '../load/driven-project';
import type { Witness } from '../witness';
import { compareHistory } from './compare-history';

export interface CompareDeps {
  target: Target;
  caller: Caller;
  witness: Witness;
  mongoUri: string;
}

/** What a killed process held is taken up within half a minute; rows follow, and purges come in rounds. */
const rowsMs = 45_000;
const purgedMs = 120_000;
const messageLength = 1_500;

/** Holds everything that the API shows, and what the databases keep of what was deleted, to the model. */
export async function compareAll(
  deps: CompareDeps,
  projects: readonly DrivenProject[],
): Promise<void> {
  for (const project of projects) {
    if (project.isDeleted) await compareGone(deps, project);
    else await compareLiving(deps, project);
    await compareLeftovers(deps, project);
  }
}

async function compareLiving(deps: CompareDeps, project: DrivenProject): Promise<void> {
  const { witness } = deps;
  await compareHistory(deps, project);
  const client = createApiClient(deps.target);
  try {
    await eventually(() => compareProject(client, project.id, project.model), {
      within: rowsMs,
      what: `${project.name} is as the model says`,
    });
  } catch (error) {
    witness.differs('differs', (error as Error).message.slice(0, messageLength));
  }
  for (const { id } of project.model.sboms) await compareDocument(deps, project, id);
  for (const id of project.goneSboms) await expectGone(deps, `/api/v1/sboms/${id}`);
}

async function compareDocument(
  { caller, witness }: CompareDeps,
  project: DrivenProject,
  id: string,
): Promise<void> {
  const { status, body } = await caller.known({ path: `/api/v1/sboms/${id}/download` });
  if (status !== 200) return witness.differs('lost', `document of SBOM ${id}: ${status}`);
  const digest = createHash('sha256').update(body).digest('hex');
  if (digest !== project.digests.get(id))
    witness.differs('differs', `SBOM ${id} downloads other bytes`);
}

async function compareGone(deps: CompareDeps, project: DrivenProject): Promise<void> {
  await expectGone(deps, `/api/v1/projects/${project.id}`);
  for (const id of project.goneSboms) await expectGone(deps, `/api/v1/sboms/${id}`);
  const query = { project_id: project.id };
  for (const path of ['/api/v1/vulnerabilities', '/api/v1/vulnerabilities/acceptances']) {
    const page = await deps.caller.json<{ total: number }>({ path, query });
    if (page && page.total > 0)
      deps.witness.differs('double', `${path} shows ${page.total} of the deleted ${project.name}`);
  }
}

async function expectGone({ caller, witness }: CompareDeps, path: string): Promise<void> {
  const { status } = await caller.known({ path });
  if (status !== 404) witness.differs('double', `${path} was deleted and answers ${status}`);
}

async function compareLeftovers(deps: CompareDeps, project: DrivenProject): Promise<void> {
  const { mongoUri, witness } = deps;
  const scopes = project.isDeleted
    ? [{ field: 'project_id' as const, id: project.id }]
    : [...project.goneServices].map((id) => ({ field: 'service_id' as const, id }));
  for (const { field, id } of scopes) {
    const nothing = async (): Promise<void> => {
      const places = await collectionsContaining(mongoUri, field, id);
      if (places.length > 0) throw new Error(places.join(', '));
    };
    try {
      await eventually(nothing, {
        within: purgedMs,
        what: `nothing is left of ${project.name} ${id}`,
      });
    } catch (error) {
      witness.differs('double', (error as Error).message);
    }
  }
}
