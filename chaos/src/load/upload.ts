import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelSbom } from '@bomtrail/reference-model';
import { componentsOf, pick, services, type LoadContext } from './driven-project';

/** Uploads to one service, or now and then to several at once. */
export async function upload(context: LoadContext): Promise<void> {
  const first = context.draw(services.length);
  const count = context.draw(4) === 0 ? 1 + context.draw(services.length) : 1;
  const drawn = Array.from({ length: count }, (_, index) => {
    return drawUpload(context, services[(first + index) % services.length] ?? null);
  });
  await Promise.all(drawn.map((one) => take(context, one)));
}

/** One upload, with what makes its document. */
export interface DrawnUpload {
  service: string | null;
  components: readonly string[];
  /** The version on the first line, then the document. */
  content: string;
  overGrpc: boolean;
}

/** A new document, or now and then one that the service has or had. */
function drawUpload({ draw, project, document }: LoadContext, service: string | null): DrawnUpload {
  const before = project.model.sboms.filter((sbom) => sbom.service === service);
  const overGrpc = draw(3) === 0;
  const again = draw(5) === 0 ? before.at(-1) : draw(5) === 0 ? pick(draw, before) : undefined;
  if (again) return { service, overGrpc, components: again.components, content: again.content };
  const components = componentsOf(project).filter(() => draw(2) === 0);
  const content = `${1 + draw(3)}.0\n${document(components, draw).toString()}`;
  return { service, overGrpc, components, content };
}

/** Sends it until it is known what became of it, and holds the answer to the model. */
export async function take(context: LoadContext, one: DrawnUpload): Promise<void> {
  const { witness, project, caller } = context;
  const { service, components, content } = one;
  const begin = content.indexOf('\n');
  const [version, text] = [content.slice(0, begin), content.slice(begin + 1)];
  const digest = createHash('sha256').update(text).digest('hex');
  const latest = project.model.sboms.filter((sbom) => sbom.service === service).at(-1);
  const sent = { project_id: project.id, version, service, text };
  const answer = one.overGrpc ? await overGrpc(context, sent) : await uploadOverRest(context, sent);
  const at = `${project.name} ${service ?? '(project)'}`;
  if (!answer) return witness.differs('failed', `an upload to ${at} was refused`);
  const { id } = answer;
  if (answer.sha256 !== digest) witness.differs('differs', `SBOM ${id}: other bytes were taken`);
  if (latest?.content === content) {
    witness.acknowledged('duplicate');
    if (id !== latest.id) witness.differs('double', `SBOM ${id} of ${at} is ${latest.id} again`);
    return;
  }
  witness.acknowledged(one.overGrpc ? 'upload over gRPC' : 'upload over REST');
  if (project.digests.has(id)) return witness.differs('lost', `${at}: ${id} was answered twice`);
  project.digests.set(id, digest);
  project.pending.add(id);
  const detail = await caller.json<{ created_at: string }>({ path: `/api/v1/sboms/${id}` });
  if (!detail) witness.differs('lost', `SBOM ${id} of ${at} is not there after its 201`);
  const sbom: ModelSbom = { id, service, components, content, created_at: '' };
  project.model.sboms.push({ ...sbom, created_at: detail?.created_at ?? '' });
}

interface Sent {
  project_id: string;
  version: string;
  service: string | null;
  text: string;
}

interface Taken {
  id: string;
  sha256: string;
}

/** Undefined: the upload was refused, which the witness notes. */
export async function uploadOverRest(
  { caller, witness }: Pick<LoadContext, 'caller' | 'witness'>,
  sent: Sent,
): Promise<Taken | undefined> {
  const form = new FormData();
  form.set('project_id', sent.project_id);
  form.set('version', sent.version);
  if (sent.service !== null) form.set('service_name', sent.service);
  form.set('file', new Blob([sent.text]), 'sbom.json');
  const call = { method: 'POST' as const, path: '/api/v1/sboms/upload', body: form };
  const { status, body } = await caller.known(call);
  if (status === 201) return JSON.parse(body.toString()) as Taken;
  witness.differs('failed', `upload: ${status} ${body.toString()}`);
  return undefined;
}

const patienceMs = 300_000;
const againMs = 250;
/** By these a client knows that it does not know. */
const unknown = ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'CANCELLED', 'UNKNOWN', 'INTERNAL'];

async function overGrpc({ grpc, witness }: LoadContext, sent: Sent): Promise<Taken | undefined> {
  const { project_id, version, service, text: sbom_json } = sent;
  const fields = { project_id, version, sbom_json };
  for (const begun = Date.now(); ;) {
    const answer = await grpc.upload(
      service === null ? fields : { ...fields, service_name: service },
    );
    if ('ok' in answer) return answer.ok;
    const { status, details, code } = answer.refused;
    if (code === 'internal_error' || !unknown.includes(status))
      witness.differs('failed', `gRPC upload: ${status} ${details}`);
    if (!unknown.includes(status) || Date.now() - begun > patienceMs) return undefined;
    witness.repeated(`gRPC ${status}`);
    await sleep(againMs);
  }
}
