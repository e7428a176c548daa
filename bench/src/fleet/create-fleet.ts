import type { Api } from '../load/api';
import { sendAll } from '../load/send-all';
import type { SbomMaker } from '../sboms/variants';
import { newProject } from '../scenarios/new-project';
import { checkSboms } from '../verify/check-sboms';
import type { Reference } from '../verify/reference';
import type { Fleet } from './fleet';

/** Gives fleets of one project; it grows with the largest one that was asked for. */
export function createFleet(deps: {
  api: Api;
  sboms: SbomMaker;
  reference: Reference;
  /** Uploads at a time while it is made. */
  clients: number;
  signal: AbortSignal;
}): (services: number) => Promise<Fleet> {
  const { api, sboms } = deps;
  let projectId: string | undefined;
  let newest = 0;
  const names: string[] = [];
  let same: { version: string; ids: readonly string[] } | undefined;

  const nextVersion = (): string => {
    same = undefined;
    newest += 1;
    return `1.${newest}.0`;
  };
  const upload = async (services: readonly string[], document: () => Buffer) => {
    const version = nextVersion();
    const project = (projectId ??= await newProject(api, 'Fleet'));
    const uploads = services.map((serviceName) =>
      api.prepareUpload({ projectId: project, serviceName, version, document: document() }),
    );
    const { ids } = await sendAll(uploads, deps.clients);
    await checkSboms({ ...deps, ids, vulnerabilities: deps.reference.vulnerabilities });
    return { project, version, ids };
  };
  return async (count) => {
    const missing = Array.from(
      { length: Math.max(0, count - names.length) },
      (_, n) => `service-${names.length + n + 1}`,
    );
    if (missing.length > 0) await upload(missing, () => sboms.newIdentity());
    names.push(...missing);
    const services = names.slice(0, count);
    return {
      projectId: projectId ?? '',
      services,
      nextVersion,
      withBaseDocument: async () => {
        if (same?.ids.length === count) return same;
        const { version, ids } = await upload(services, () => sboms.base());
        return (same = { version, ids });
      },
    };
  };
}
