import type { Call } from '@bomtrail/api-client';
import { pick, type LoadContext } from './driven-project';

/** Deletes until it is known to be gone; false where it was gone before anybody asked. */
async function remove({ caller, witness }: LoadContext, call: Call): Promise<boolean> {
  const { status, maybeBefore } = await caller.known({ ...call, method: 'DELETE' });
  if (status === 204 || (status === 404 && maybeBefore)) return true;
  const kind = status === 404 ? 'lost' : 'failed';
  witness.differs(kind, `DELETE ${call.path}: ${status}`);
  return status === 404;
}

export async function removeSbom(context: LoadContext): Promise<void> {
  const { project, draw, witness } = context;
  const { model } = project;
  const sbom = pick(draw, model.sboms);
  if (!sbom || !(await remove(context, { path: `/api/v1/sboms/${sbom.id}` }))) return;
  witness.acknowledged('delete of an SBOM');
  model.sboms.splice(model.sboms.indexOf(sbom), 1);
  project.goneSboms.add(sbom.id);
}

export async function removeService(context: LoadContext): Promise<void> {
  const { project, caller, witness } = context;
  const { model } = project;
  const name = 'tools';
  const query = { project_id: project.id };
  const found = await caller.json<{ id: string; name: string }[]>({
    path: '/api/v1/services',
    query,
  });
  const service = found?.find((one) => one.name === name);
  const sboms = model.sboms.filter((sbom) => sbom.service === name);
  if (!service) {
    if (sboms.length > 0) witness.differs('lost', `service ${name} of ${project.name}`);
    return;
  }
  const call = { path: `/api/v1/services/${service.id}`, query: { cascade: 'true' } };
  if (!(await remove(context, call))) return;
  witness.acknowledged('delete of a service');
  model.sboms = model.sboms.filter((sbom) => sbom.service !== name);
  model.acceptances = model.acceptances.filter((one) => one.service !== name);
  for (const { id } of sboms) project.goneSboms.add(id);
  project.goneServices.add(service.id);
}

export async function removeProject(context: LoadContext): Promise<void> {
  const { project, witness } = context;
  if (!(await remove(context, { path: `/api/v1/projects/${project.id}` }))) return;
  witness.acknowledged('delete of a project');
  project.isDeleted = true;
  for (const { id } of project.model.sboms) project.goneSboms.add(id);
  project.model.sboms = [];
}
