import { createHash } from 'node:crypto';
import { pick, type Fake } from './driven-project';

/** Reads something that was acknowledged: it must be there, or gone, at any time. */
export async function read(play: Fake): Promise<void> {
  const { draw, project, witness } = play;
  const chance = draw(4);
  if (chance === 0) await readDocument(play);
  else if (chance === 1) await readGone(play);
  else {
    const query = { project_id: project.id };
    const name = chance === 2 ? 'active' : 'summary';
    const { status } = await play.caller.known({ path: `/api/v1/vulnerabilities/${name}`, query });
    if (status !== 200) witness.differs('failed', `${name} of ${project.name}: ${status}`);
  }
  witness.acknowledged('read');
}

async function readDocument({ caller, draw, project, witness }: Fake): Promise<void> {
  const sbom = pick(draw, project.model.sboms);
  if (!sbom) return;
  const { status, body } = await caller.known({ path: `/api/v1/sboms/${sbom.id}/download` });
  if (status !== 200) return witness.differs('lost', `download of SBOM ${sbom.id}: ${status}`);
  const digest = createHash('sha256').update(body).digest('hex');
  if (digest !== project.digests.get(sbom.id))
    witness.differs('differs', `SBOM ${sbom.id} downloads other bytes`);
}

async function readGone({ caller, draw, project, witness }: Fake): Promise<void> {
  const id = pick(draw, [...project.goneSboms]);
  if (id === undefined) return;
  const { status } = await caller.known({ path: `/api/v1/sboms/${id}` });
  if (status !== 404) witness.differs('double', `SBOM ${id} was deleted and is there: ${status}`);
}
