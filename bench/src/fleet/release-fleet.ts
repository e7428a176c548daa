import { BenchFailure } from '../bench-failure';
import type { Api, Upload } from '../load/api';
import { sendAll } from '../load/send-all';
import type { CycloneDxComponent } from '../sboms/cyclonedx-document';
import { goVersionAbove, goVersionFarAbove } from '../sboms/go-version';
import type { SbomMaker } from '../sboms/variants';
import { newProject } from '../scenarios/new-project';
import { checkSboms } from '../verify/check-sboms';
import type { Reference } from '../verify/reference';
import { findFixableModules } from './fixable-modules';
import { planRelease, type FixableModule } from './release-plan';

/** Services that exist, each with a scanned SBOM, of which every one releases new versions. */
export interface ReleaseFleet {
  projectId: string;
  /** The next release of each service in turn, over and over. */
  nextReleases(count: number): Release[];
  /** Open vulnerabilities of the project once all releases are scanned. */
  countActive(): number;
}

export interface Release {
  upload: Upload;
  /** In the document. */
  vulnerabilities: number;
}

interface Service {
  name: string;
  number: number;
  releases: number;
  /** Where it differs from the base document. */
  versions: Map<CycloneDxComponent, string>;
  fixed: Set<FixableModule<CycloneDxComponent>>;
}

interface FleetDeps {
  api: Api;
  sboms: SbomMaker;
  reference: Reference;
  /** Uploads at a time while the services are made. */
  clients: number;
  signal: AbortSignal;
}

const setupTimeoutMs = 300_000;
const servicesAtOnce = 100;

/** Gives fleets of one project; it grows with the largest one that was asked for. */
export function createReleaseFleet(deps: FleetDeps): (count: number) => Promise<ReleaseFleet> {
  const { sboms, reference } = deps;
  const services: Service[] = [];
  let project: Promise<Project> | undefined;

  const vulnerabilitiesOf = ({ fixed }: Service): number =>
    [...fixed].reduce((left, { findings }) => left - findings, reference.vulnerabilities);

  return async (count) => {
    const { projectId, fixable } = await (project ??= openProject(deps));
    await addServices(deps, { projectId, services, count });
    const next = (service: Service): Release => {
      release(service, { sboms, fixable });
      const version = `1.${service.releases}.0`;
      const document = sboms.withVersions(service.versions);
      return {
        upload: { projectId, serviceName: service.name, version, document },
        vulnerabilities: vulnerabilitiesOf(service),
      };
    };
    return {
      projectId,
      nextReleases: (wanted) =>
        Array.from({ length: wanted }, (_, n) => services[n % count] as Service).map(next),
      countActive: () => services.reduce((sum, service) => sum + vulnerabilitiesOf(service), 0),
    };
  };
}

interface Project {
  projectId: string;
  fixable: readonly FixableModule<CycloneDxComponent>[];
}

/** The services of `fixable-modules` are not those of the project that is loaded. */
async function openProject(deps: FleetDeps): Promise<Project> {
  const fixable = await findFixableModules(deps, await newProject(deps.api, 'Fixable modules'));
  return { projectId: await newProject(deps.api, 'Fleet of releases'), fixable };
}

/** Each begins with the packages of the base document. Fails when this takes more than five minutes. */
async function addServices(
  deps: FleetDeps,
  fleet: { projectId: string; services: Service[]; count: number },
): Promise<void> {
  const { api, sboms, reference, signal } = deps;
  const { projectId, services, count } = fleet;
  const deadline = performance.now() + setupTimeoutMs;
  while (services.length < count) {
    if (performance.now() > deadline) {
      throw new BenchFailure(
        `after five minutes only ${services.length} of ${count} services exist`,
      );
    }
    const added = Array.from(
      { length: Math.min(servicesAtOnce, count - services.length) },
      (_, n) => newService(services.length + n),
    );
    const uploads = added.map(({ name }) =>
      api.prepareUpload({
        projectId,
        serviceName: name,
        version: '1.0.0',
        document: sboms.newIdentity(),
      }),
    );
    const { ids } = await sendAll(uploads, deps.clients);
    await checkSboms({ api, ids, vulnerabilities: reference.vulnerabilities, signal });
    services.push(...added);
  }
}

function newService(number: number): Service {
  return {
    name: `service-${number + 1}`,
    number,
    releases: 0,
    versions: new Map(),
    fixed: new Set(),
  };
}

/** Makes the next release of a service. */
function release(
  service: Service,
  { sboms, fixable }: Pick<Project, 'fixable'> & { sboms: SbomMaker },
): void {
  const { number, versions, fixed } = service;
  const { moved, switched } = planRelease(
    { service: number, release: service.releases },
    sboms.modules,
    fixable,
  );
  service.releases += 1;
  const seedOf = ({ purl }: CycloneDxComponent): string =>
    `${service.name} ${service.releases} ${purl}`;
  for (const module of moved) {
    const current = versions.get(module) ?? module.version ?? '';
    versions.set(module, goVersionAbove(current, seedOf(module)) ?? current);
  }
  for (const one of switched) {
    const { module } = one;
    const isFixed = fixed.delete(one);
    if (!isFixed) fixed.add(one);
    const moveTo = isFixed ? goVersionAbove : goVersionFarAbove;
    const version = moveTo(module.version ?? '', seedOf(module));
    versions.set(module, version ?? '');
  }
}
