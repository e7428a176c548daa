/** One upload of the simulated year. */
export interface SimulatedRelease {
  serviceName: string;
  version: string;
  /** How long ago it was released, in days. */
  daysAgo: number;
  document: Buffer;
}

interface CycloneDx {
  metadata: { component: { 'bom-ref': string; name: string; version: string; purl?: string } };
  components: { name: string; version: string; purl: string; 'bom-ref': string }[];
}

interface SimulatedService {
  serviceName: string;
  /** The first and the last document: one package after the other moves from here to there. */
  from: string;
  to: string;
  releases: number;
  /** Day of the first release, counted back from today. */
  firstDaysAgo: number;
  /** Day of the last one. */
  lastDaysAgo: number;
}

/** What was released, oldest first. */
export function simulatedReleases(services: readonly SimulatedService[]): SimulatedRelease[] {
  return services.flatMap(releasesOf).sort((one, other) => other.daysAgo - one.daysAgo);
}

function releasesOf(service: SimulatedService): SimulatedRelease[] {
  const from = JSON.parse(service.from) as CycloneDx;
  const to = JSON.parse(service.to) as CycloneDx;
  const { serviceName, releases, firstDaysAgo, lastDaysAgo } = service;
  const step = (firstDaysAgo - lastDaysAgo) / (releases - 1);
  return Array.from({ length: releases }, (_, at) => {
    const version = `1.${at}.0`;
    const components = between(from, to, at / (releases - 1));
    const document = { ...from, metadata: renamed(from, serviceName, version), components };
    return {
      serviceName,
      version,
      daysAgo: firstDaysAgo - at * step,
      document: Buffer.from(JSON.stringify({ ...document, dependencies: [] })),
    };
  });
}

/**
 * What is between the two documents at a share (0 to 1) of the way: of the first document's packages
 * the first half and, with the share, the rest; of those that change, the share as they are later.
 */
function between(from: CycloneDx, to: CycloneDx, share: number): CycloneDx['components'] {
  const later = new Map(to.components.map((one) => [one.name, one]));
  const there = from.components.slice(0, Math.ceil(from.components.length * (0.5 + share / 2)));
  const changing = there.filter(({ name, version }) => later.get(name)?.version !== version);
  // A fix comes some releases after its package: some remains open in the end.
  const done = new Set(changing.slice(0, Math.floor(changing.length * share * 0.8)));
  return there.flatMap((one) => (done.has(one) ? (later.get(one.name) ?? []) : one));
}

function renamed({ metadata }: CycloneDx, name: string, version: string): CycloneDx['metadata'] {
  const purl = `pkg:npm/${name}@${version}`;
  return {
    ...metadata,
    component: { ...metadata.component, name, version, purl, 'bom-ref': purl },
  };
}
