import type { ModelAcceptance } from '@bomtrail/reference-model';
import { pick, type LoadContext } from './driven-project';

const acceptancesPath = '/api/v1/vulnerabilities/acceptances';

interface Row {
  id: string;
  service_id: string | null;
  service_name: string | null;
  aliases: string[];
}

/** Accepts a vulnerability that the lists show, in its service or in the whole project. */
export async function accept(context: LoadContext): Promise<void> {
  const { caller, draw, project, witness } = context;
  const query = { project_id: project.id, per_page: 200 };
  const page = await caller.json<{ items: Row[] }>({ path: '/api/v1/vulnerabilities', query });
  const row = pick(draw, page?.items ?? []);
  if (!row) return;
  const inService = draw(2) === 0 && row.service_id !== null;
  const { status, body, maybeBefore } = await caller.known({
    method: 'POST',
    path: acceptancesPath,
    body: {
      project_id: project.id,
      vulnerability_id: row.id,
      reason: 'Not reachable.',
      ...(inService ? { service_id: row.service_id } : {}),
    },
  });
  const given = {
    vulnerability_id: row.id,
    names: [...row.aliases].sort(),
    expires_at: null,
    service: inService ? row.service_name : null,
  };
  const answered = status === 201 ? (JSON.parse(body.toString()) as { id: string }).id : undefined;
  const id = answered ?? (maybeBefore ? await foundUnknown(context, given) : undefined);
  if (id !== undefined) {
    witness.acknowledged('acceptance given');
    project.model.acceptances.push({ id, ...given });
  } else if (status === 409 && !project.model.acceptances.some((one) => overlaps(one, given))) {
    witness.differs('double', `an acceptance of ${row.id} exists that was never created`);
  } else if (status !== 409 && status !== 404) {
    // 404: the row has gone since the list was read, with an advisory that was changed.
    witness.differs('failed', `POST ${acceptancesPath}: ${status} ${body.toString()}`);
  }
}

type Given = Omit<ModelAcceptance, 'id'>;

function overlaps(one: ModelAcceptance, given: Given): boolean {
  return one.service === given.service && one.names.some((name) => given.names.includes(name));
}

/** An acceptance that an unanswered request may have stored. */
async function foundUnknown(
  { caller, project }: LoadContext,
  given: Given,
): Promise<string | undefined> {
  const query = { project_id: project.id, per_page: 200 };
  const page = await caller.json<{ items: { id: string; vulnerability_id: string }[] }>({
    path: acceptancesPath,
    query,
  });
  const known = new Set(project.model.acceptances.map(({ id }) => id));
  const own = page?.items.find(
    ({ id, vulnerability_id }) => !known.has(id) && vulnerability_id === given.vulnerability_id,
  );
  return own?.id;
}

export async function takeBack({ caller, draw, project, witness }: LoadContext): Promise<void> {
  const { acceptances } = project.model;
  const one = pick(draw, acceptances);
  if (!one) return;
  const path = `${acceptancesPath}/${one.id}`;
  const { status, maybeBefore } = await caller.known({ method: 'DELETE', path });
  acceptances.splice(acceptances.indexOf(one), 1);
  if (status === 204 || (status === 404 && maybeBefore))
    witness.acknowledged('acceptance taken back');
  else witness.differs(status === 404 ? 'lost' : 'failed', `DELETE ${path}: ${status}`);
}
