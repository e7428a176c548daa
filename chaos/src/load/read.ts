import { createHash } from 'node:crypto';
import { pick, type LoadContext } from './driven-project';

/** Reads something that was acknowledged: it must be there, or gone, at any time. */
export async function read(context: LoadContext): Promise<void> {
  const { draw, project, witness } = context;
  const chance = draw(4);
  if (chance === 0) await readDocument(context);
  else if (chance === 1) await readGone(context);
  else {
    const query = { project_id: project.id };
    const name = chance === 2 ? 'active' : 'summary';
    const { status } = await context.caller.known({
      path: `/api/v1/vulnerabilities/${name}`,
      query,
    });
    if (status !== 200) witness.differs('failed', `${name} of ${project.name}: ${status}`);
  }
  witness.acknowledged('read');
}

async function readDocument({ caller, draw, project, witness }: LoadContext): Promise<void> {
  const sbom = pick(draw, project.model.sboms);
  if (!sbom) return;
  const { status, body } = await caller.known({ path: `/api/v1/sboms/${sbom.id}/download` });
  if (status !== 200) return witness.differs('lost', `download of SBOM ${sbom.id}: ${status}`);
  const digest = createHash('sha256').update(body).digest('hex');
  if (digest !== project.digests.get(sbom.id))
    witness.differs('differs', `SBOM ${sbom.id} downloads other bytes`);
}

async function readGone({ caller, draw, project, witness }: LoadContext): Promise<void> {
  const id = pick(draw, [...project.goneSboms]);
  if (id === undefined) return;
  const { status } = await caller.known({ path: `/api/v1/sboms/${id}` });
  if (status !== 404) witness.differs('double', `SBOM ${id} was deleted and is there: ${status}`);
}
