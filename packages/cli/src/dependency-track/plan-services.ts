import type { DtProject } from './model';

/** An application with its versions, oldest first. */
export interface ServicePlan {
  /** Name of the project in bomtrail. */
  project: string;
  service: string;
  versions: DtProject[];
}

export interface ImportPlan {
  services: ServicePlan[];
  /** Versions without an SBOM, with the reason. */
  skipped: { project: DtProject; reason: 'collection' | 'no_sbom' }[];
}

/**
 * Maps Dependency-Track's projects, each of which is one version (docs/rules.md IM1 to IM3): all versions of one name
 * under one outermost parent are a service; the outermost parent, or the application itself, names the project.
 */
export function planServices(projects: readonly DtProject[]): ImportPlan {
  const byUuid = new Map(projects.map((project) => [project.uuid, project]));
  const services = new Map<string, ServicePlan>();
  const names = new Map<string, string>();
  const skipped: ImportPlan['skipped'] = [];
  for (const project of projects) {
    const reason = skipReason(project);
    if (reason !== null) {
      skipped.push({ project, reason });
      continue;
    }
    const outermost = outermostName(project, byUuid);
    const folded = foldedName(outermost);
    const name = names.get(folded) ?? outermost.trim();
    names.set(folded, name);
    const key = JSON.stringify([folded, project.name]);
    const plan = services.get(key) ?? { project: name, service: project.name, versions: [] };
    plan.versions.push(project);
    services.set(key, plan);
  }
  for (const { versions } of services.values()) versions.sort(byUpload);
  return { services: [...services.values()], skipped };
}

/** Names of projects are compared like this in bomtrail. */
export function foldedName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function skipReason({
  collectionLogic,
  lastBomImport,
}: DtProject): 'collection' | 'no_sbom' | null {
  if (collectionLogic !== undefined && collectionLogic !== 'NONE') return 'collection';
  return lastBomImport === undefined || lastBomImport === null ? 'no_sbom' : null;
}

function outermostName(project: DtProject, byUuid: ReadonlyMap<string, DtProject>): string {
  const seen = new Set<string>();
  let at = project;
  let name = project.name;
  while (at.parent !== undefined && at.parent !== null && !seen.has(at.uuid)) {
    seen.add(at.uuid);
    const parent = byUuid.get(at.parent.uuid);
    name = parent?.name ?? at.parent.name ?? name;
    if (parent === undefined) break;
    at = parent;
  }
  return name;
}

/** The version marked as latest last, the others by their last upload. */
function byUpload(one: DtProject, other: DtProject): number {
  return (
    Number(one.isLatest ?? false) - Number(other.isLatest ?? false) ||
    (one.lastBomImport ?? 0) - (other.lastBomImport ?? 0) ||
    compareText(one.version ?? '', other.version ?? '') ||
    compareText(one.uuid, other.uuid)
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
