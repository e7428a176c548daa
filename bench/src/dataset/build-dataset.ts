import type { Api } from '../load/api';
import { inParallel } from '../load/in-parallel';
import { untilScanned } from '../verify/until-scanned';
import { datasetDocument, type DatasetPlan } from './dataset-plan';

const clients = 24;
const servicesPerProject = 40;
const timeoutMs = 60 * 60_000;

interface Service {
  projectId: string;
  name: string;
  family: number;
}

/**
 * Uploads the whole dataset over the API, release by release, and waits until all of it is scanned.
 * Gives the rate of the uploads.
 */
export async function buildDataset(
  plan: DatasetPlan,
  deps: { api: Api; signal: AbortSignal; say: (line: string) => void },
): Promise<{ sboms: number; seconds: number }> {
  const { api, signal, say } = deps;
  const services = await makeServices(plan, api);
  const begin = performance.now();
  const ids: string[] = [];
  for (let release = 0; release < plan.releases; release += 1) {
    const documents = plan.families.map(({ number }) => datasetDocument(number, release));
    await inParallel(services, clients, async ({ projectId, name, family }) => {
      const document = documents[family];
      if (document === undefined) throw new Error(`there is no family ${family}`);
      const version = `1.${release + 1}.0`;
      ids.push(await api.upload({ projectId, serviceName: name, document, version }));
    });
    const seconds = Math.round((performance.now() - begin) / 1000);
    say(`release ${release + 1} of ${plan.releases} is uploaded after ${seconds} s`);
  }
  const seconds = (performance.now() - begin) / 1000;
  await inParallel(ids.reverse(), clients, (id) =>
    untilScanned({ api, signal }, id, { pauseMs: 200, timeoutMs }),
  );
  return { sboms: ids.length, seconds };
}

async function makeServices(plan: DatasetPlan, api: Api): Promise<Service[]> {
  const named = plan.families.flatMap(({ number, services }) =>
    Array.from({ length: services }, (_, n) => ({
      family: number,
      name: `f${number}-service-${n}`,
    })),
  );
  const services: Service[] = [];
  let projectId = '';
  for (const [index, service] of named.entries()) {
    if (index % servicesPerProject === 0) {
      projectId = await api.createProject(`Dataset ${index / servicesPerProject + 1}`);
    }
    services.push({ ...service, projectId });
  }
  return services;
}
