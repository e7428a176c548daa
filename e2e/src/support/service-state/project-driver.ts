import { expect } from '@jest/globals';
import { ApiError, send, waitForScan, type ApiClient, type Target } from '@bomtrail/api-client';
import {
  compareProject,
  documentOf,
  type AdvisoryFolder,
  type ModelAdvisory,
  type ModelProject,
  type ModelVulnerability,
  type ModelSbom,
} from '@bomtrail/reference-model';
import { eventually, type sequence } from '@bomtrail/testkit';
import { createDecisionDriver, kinds, statusOf } from './decision-driver';
import { createKnownIds } from './known-ids';

const patienceMs = 120_000;
const services = ['shop', 'tools', null];
const versions = ['1.0.0', '9.0.0', '10.0.0'];

/** A project with packages and advisories of its own, in the API and in the model. */
export async function createProjectDriver(
  { client, target, folder }: { client: ApiClient; target: Target; folder: AdvisoryFolder },
  { name, draw }: { name: string; draw: ReturnType<typeof sequence> },
) {
  const { id: project_id } = await client.createProject({ name });
  const ids = createKnownIds();
  const components = ['p', 'q'].flatMap((one) => versions.map((at) => `${name}-${one}@${at}`));
  const model: Required<ModelProject> = {
    advisories: [],
    sboms: [],
    acceptances: [],
    vex: [],
    rules: [],
  };
  let byId = new Map<string, ModelVulnerability>();

  const pick = <Element>(list: readonly Element[]): Element | undefined => list[draw(list.length)];
  const some = <Element>(list: readonly Element[]): Element[] => list.filter(() => draw(2) === 0);
  const advisoryIds = ['GHSA-a', 'GHSA-b', 'OSV-c', 'CVE-2026-1'].map((id) => `${id}-${name}`);

  async function upload(): Promise<ModelSbom | null> {
    const service = pick(services) ?? null;
    const reserved = some(components);
    const before = model.sboms.filter((sbom) => sbom.service === service);
    // Now and then an older document once more: a roll-back, or a duplicate when it is the latest.
    const again = draw(4) === 0 ? pick(before) : undefined;
    const document = again?.components ?? reserved;
    const file = documentOf(document);
    const content = file.toString();
    const { id } = await client.upload({
      project_id,
      version: '1',
      file,
      ...(service === null ? {} : { service_name: service }),
    });
    const latest = before.at(-1);
    if (latest?.content === content) {
      expect(id).toBe(latest.id);
      return null;
    }
    const { created_at } = await client.sbom(id);
    const sbom = { id, service, components: document, content, created_at: created_at ?? '' };
    model.sboms.push(sbom);
    return sbom;
  }

  async function uploadsScanned(): Promise<void> {
    for (const { id } of model.sboms) await waitForScan(client, id, patienceMs);
  }

  async function status(call: Parameters<typeof send>[1]): Promise<{ status: number; id: string }> {
    const response = await send(target, call);
    const text = await response.text();
    const body = text === '' ? {} : (JSON.parse(text) as { id?: string });
    return { status: response.status, id: body.id ?? '' };
  }

  async function serviceId(service: string): Promise<string | undefined> {
    const found = await client.listServices(project_id);
    return found.find((one) => one.name === service)?.id;
  }

  async function removeSbom(): Promise<void> {
    const sbom = pick(model.sboms);
    if (!sbom) return;
    expect((await status({ method: 'DELETE', path: `/api/v1/sboms/${sbom.id}` })).status).toBe(204);
    model.sboms.splice(model.sboms.indexOf(sbom), 1);
  }

  async function removeService(): Promise<void> {
    const service = 'tools';
    const id = await serviceId(service);
    if (id === undefined) return;
    const call = { method: 'DELETE' as const, path: `/api/v1/services/${id}` };
    const hasSboms = model.sboms.some((sbom) => sbom.service === service);
    if (hasSboms) expect((await status(call)).status).toBe(409);
    expect((await status({ ...call, query: { cascade: 'true' } })).status).toBe(204);
    model.sboms = model.sboms.filter((sbom) => sbom.service !== service);
    model.acceptances = model.acceptances.filter((one) => one.service !== service);
    model.rules = model.rules.filter((one) => one.service !== service);
    ids.deleteServiceOf(service);
  }

  async function accept(): Promise<void> {
    await current();
    const gone = draw(6) === 0 ? ids.vanished(byId) : undefined;
    const [id, vulnerability] = gone === undefined ? (pick([...byId]) ?? []) : [gone];
    if (id === undefined) return;
    const service = draw(2) === 0 ? null : (vulnerability?.service ?? null);
    const service_id = service === null ? undefined : await serviceId(service);
    const decision = pick(kinds);
    const expires_at = draw(3) === 0 ? Date.now() + 500 + draw(1500) : null;
    /** Does one that has not expired stand in the way? */
    const isTaken = (): boolean =>
      model.acceptances.some(
        (one) =>
          one.service === service &&
          (one.expires_at === null || Date.now() < one.expires_at) &&
          one.names.some((name) => vulnerability?.names.includes(name)),
      );
    const wasTaken = isTaken();
    const answer = await status({
      method: 'POST',
      path: '/api/v1/vulnerabilities/acceptances',
      body: {
        project_id,
        vulnerability_id: id,
        reason: 'Not reachable.',
        decision,
        ...(service_id === undefined ? {} : { service_id }),
        ...(expires_at === null ? {} : { expires_at: new Date(expires_at).toISOString() }),
      },
    });
    if (!vulnerability) {
      expect(answer.status).toBe(404);
      return;
    }
    // One of them may have expired in between.
    expect([wasTaken, isTaken()].map((taken) => (taken ? 409 : 201))).toContain(answer.status);
    if (answer.status === 409) return;
    const { names } = vulnerability;
    const own = { id: answer.id, decision: statusOf(decision), service, expires_at };
    model.acceptances.push({ ...own, vulnerability_id: id, names });
  }

  async function takeBack(): Promise<void> {
    const one = pick(model.acceptances);
    if (!one) return;
    await client.revokeAcceptance(one.id);
    model.acceptances.splice(model.acceptances.indexOf(one), 1);
  }

  const decisions = createDecisionDriver(
    { client, project_id, model, serviceId },
    { name, components, advisoryIds, draw },
  );

  /** What the API shows is what the model says, sooner or later; ids are remembered. */
  async function current(): Promise<void> {
    await uploadsScanned();
    byId = await eventually(() => compareProject(client, project_id, model), {
      what: `${name} is as the model says`,
    });
    const resolve = async (id: string): Promise<string> =>
      (await client.vulnerability(id).catch(toNothing)).id;
    expect(await ids.problems(byId, resolve)).toEqual([]);
    ids.remember(byId);
  }

  return {
    model,
    current,
    /** Some things happen, some of them before the last one's scan has ended. */
    async act(steps: number): Promise<void> {
      for (let step = 0; step < steps; step++) {
        const chance = draw(26);
        if (chance < 9) await upload();
        else if (chance < 12) await removeSbom();
        else if (chance < 13) await removeService();
        else if (chance < 17) await accept();
        else if (chance < 20) await takeBack();
        else await decisions.act();
      }
    },
    /** Writes one advisory anew; what follows from it comes into force on its own. */
    async changeAdvisory(): Promise<void> {
      const id = pick(advisoryIds) ?? '';
      const known = model.advisories.find((one) => one.id === id);
      const advisory: ModelAdvisory = known ?? {
        id,
        aliases: [],
        affects: components,
        severity: 'medium',
        withdrawn: false,
      };
      const chance = draw(6);
      if (chance === 0 && known) advisory.withdrawn = !advisory.withdrawn;
      else if (chance <= 2)
        advisory.aliases = some(advisoryIds.filter((one) => one !== id)).slice(0, 1);
      else if (chance <= 4) advisory.affects = atLeastOne(some(components), `${name}-none@1.0.0`);
      else advisory.severity = advisory.severity === 'medium' ? 'critical' : 'medium';
      if (!known) model.advisories.push(advisory);
      await folder.put(advisory);
    },
  };
}

function atLeastOne<Element>(list: Element[], other: Element): Element[] {
  return list.length > 0 ? list : [other];
}

function toNothing(error: unknown): { id: string } {
  if (error instanceof ApiError) return { id: `${error.status}` };
  throw error;
}
