import { randomUUID } from 'node:crypto';
import type { Api } from '../load/api';
import { inParallel } from '../load/in-parallel';
import { untilScanned } from '../verify/until-scanned';

/** Of another ecosystem than the measured documents: its folder is small, and read again with each change. */
export const widespreadEcosystem = 'Julia';
/** The package that every one of these services holds. */
export const widespreadPackage = 'Widespread';

const modulesPerDocument = 20;
/** Different component sets: about as many services share one as those that grew from one template. */
const documents = 40;
const servicesPerProject = 100;
const clients = 32;
const watched = 8;
const pauseMs = 200;
const timeoutMs = 5 * 60_000;

/**
 * Uploads a small document with the widespread package to so many new services, and waits until all of
 * them are scanned.
 */
export async function uploadToServices(
  services: number,
  deps: { api: Api; signal: AbortSignal },
): Promise<void> {
  const { api, signal } = deps;
  const bytes = Array.from({ length: documents }, (_, n) => documentOf(n));
  const projects = await inParallel(
    Array.from({ length: Math.ceil(services / servicesPerProject) }),
    clients,
    () => api.createProject(`Holders ${randomUUID()}`),
  );
  const ids = await inParallel(
    Array.from({ length: services }, (_, n) => n),
    clients,
    (n) => {
      const projectId = projects[Math.floor(n / servicesPerProject)] ?? '';
      const document = bytes[n % documents];
      if (!document) throw new Error('there is no document');
      return api.upload({ projectId, serviceName: `holder-${n}`, document });
    },
  );
  for (const id of ids.slice(-watched)) {
    await untilScanned({ api, signal }, id, { pauseMs, timeoutMs });
  }
}

/** The same bytes for the same number. */
function documentOf(number: number): Buffer {
  const names = Array.from({ length: modulesPerDocument }, (_, n) => `Module${number}x${n}`);
  const components = [widespreadPackage, ...names].map((name) => {
    const purl = `pkg:julia/${name}@1.0.0`;
    return { 'bom-ref': purl, type: 'library', name, version: '1.0.0', purl };
  });
  const head = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 };
  return Buffer.from(JSON.stringify({ ...head, components }));
}
