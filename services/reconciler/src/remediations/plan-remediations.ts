import {
  pageWindow,
  type RemediationView,
  type planRemediations as definition,
  type RequestOf,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { withExpiriesApplied, type LapseExpiredDeps } from '../decisions/lapse-expired';
import { candidatesOf, type Candidates } from './domain/candidate-versions';
import type { ComponentInUse, PackageInUse, PackageUse } from './domain/package-in-use';
import { compareRemediations, planPackage } from './domain/plan-package';
import { addSums, sumVulnerabilities } from './domain/sum-vulnerabilities';
import { judgeVersions, type VersionsToJudge } from './judge-versions';
import { readComponents, type ComponentsOfSets, type KnownComponent } from './read-components';
import type { PlanCache, WholePlan } from './plan-cache';
import type {
  OpenPackages,
  OpenPackageStore,
  OpenRow,
  PlannedScope,
} from './store/open-package-store';
import { grouped } from '../tracking/domain/grouped';

export interface PlanRemediationsDeps extends LapseExpiredDeps {
  request: Request;
  openPackages: OpenPackageStore;
  plans: PlanCache;
}

type Plan = NonNullable<typeof definition.response> & { items: RemediationView[] };

/** Packages planned together: their verdicts are in memory. */
const packagesAtOnce = 100;

/**
 * Plans upgrades for the open vulnerabilities of a scope and returns one page, most risk removed first
 * (docs/rules.md RM1 to RM7). Verdicts are the scanner's; nothing is stored, but the pages of a plan share it
 * for a minute unless a service in it changes.
 *
 * @throws AppError `service_unavailable` if the scanner cannot be asked
 */
export async function planRemediations(
  deps: PlanRemediationsDeps,
  query: RequestOf<typeof definition>,
): Promise<Plan> {
  const { project_id, service_ids } = query;
  const scope = { project_id, service_ids: service_ids && [...service_ids].sort() };
  const { views, complete } = await withExpiriesApplied(deps, project_id, async () => {
    // Read before the plan: it may be newer than its version, never older.
    const version = await deps.openPackages.version(scope);
    const key = JSON.stringify([scope, version]);
    return deps.plans.get(key, () => planAll(deps, scope));
  });
  const { skip, limit } = pageWindow(query);
  const nothing = sumVulnerabilities(new Map());
  return {
    items: views.slice(skip, skip + limit),
    total: views.length,
    complete,
    closes: views.reduce((sum, { closes }) => addSums(sum, closes), nothing),
    remains: views.reduce((sum, { remains }) => addSums(sum, remains), nothing),
  };
}

async function planAll(deps: PlanRemediationsDeps, scope: PlannedScope): Promise<WholePlan> {
  const open = await deps.openPackages.read(scope);
  const digests = [...open.services.values()].map(({ head }) => head.digest);
  const components = await readComponents(deps, digests, open.packages);
  const views: RemediationView[] = [];
  const packages = [...open.packages];
  for (let at = 0; at < packages.length; at += packagesAtOnce) {
    const some = packages.slice(at, at + packagesAtOnce);
    const inUse = some.map(([key, rows]) => packageInUse(key, rows, { open, components }));
    for (const found of await judged(deps, inUse)) views.push(planPackage(found));
  }
  views.sort(compareRemediations);
  return { views, complete: open.complete && components.complete };
}

/** A package before its versions are judged: `toJudge` by component; null: it cannot be judged. */
interface UnjudgedPackage extends PackageInUse {
  toJudge: ({ request: VersionsToJudge; candidates: Candidates } | null)[];
}

function packageInUse(
  packageKey: string,
  rows: readonly OpenRow[],
  { open, components }: { open: OpenPackages; components: ComponentsOfSets },
): UnjudgedPackage {
  const known: KnownComponent[] = [];
  const positions = new Map<KnownComponent, number>();
  const detailsIds = [...new Set(rows.map(({ details_id }) => details_id))];
  const details = detailsIds.flatMap((id) => open.details.get(id) ?? []);
  const ofDetails = new Map(
    detailsIds.filter((id) => open.details.has(id)).map((id, position) => [id, position]),
  );
  const byService = grouped(rows, ({ service_id }) => service_id);
  const fixes: Set<readonly string[]>[] = [];
  const uses = [...byService].flatMap(([service_id, own]): PackageUse[] => {
    const service = open.services.get(service_id);
    if (!service) return [];
    const affected = components.bySet.get(service.head.digest)?.get(packageKey) ?? [];
    return [
      {
        service_id,
        project_id: service.project_id,
        sbom_id: service.head.sbom_id,
        vulnerabilities: own.flatMap(({ details_id }) => ofDetails.get(details_id) ?? []),
        components: affected.map((component) => {
          const at = positions.get(component) ?? known.push(component) - 1;
          positions.set(component, at);
          const ofComponent = (fixes[at] ??= new Set());
          for (const { fixed_versions } of own) ofComponent.add(fixed_versions);
          return at;
        }),
      },
    ];
  });
  const [ecosystem = ''] = packageKey.split('|');
  const toJudge = known.map((component, at) => versionsToJudge(component, [...(fixes[at] ?? [])]));
  return {
    package_name: details[0]?.package_name ?? packageKey,
    ecosystem,
    vulnerabilities: details,
    components: known.map((component, at) => componentInUse(component, toJudge[at] ?? null)),
    uses,
    toJudge,
  };
}

/**
 * The version in use and its candidates. Null if the package versions of the component differ, as where a
 * binary package has another version than its source: a fixed version may be of either.
 */
function versionsToJudge(
  { versions }: KnownComponent,
  fixes: readonly (readonly string[])[],
): UnjudgedPackage['toJudge'][number] {
  const [first] = versions;
  if (!first || versions.some(({ version }) => version !== first.version)) return null;
  const { ecosystem, version } = first;
  const candidates = candidatesOf(first, fixes);
  const names = versions.map(({ name, suffix }) => ({ name, suffix }));
  return { request: { ecosystem, names, versions: [version, ...candidates.versions] }, candidates };
}

function componentInUse(
  component: KnownComponent,
  toJudge: UnjudgedPackage['toJudge'][number],
): ComponentInUse {
  const { purl, package_name, package_version, is_direct, versions } = component;
  const [first] = versions;
  const isOwn = versions.some(({ name }) => name === package_name) || !first;
  const isSource = !isOwn && bySource.has(first.ecosystem);
  return {
    purl,
    package_version,
    is_direct,
    release: first?.suffix ?? null,
    source_package: isSource ? first.name : null,
    version: first?.version ?? package_version,
    judged: null,
    prereleases: toJudge?.candidates.prereleases ?? [],
  };
}

/** Distributions whose advisories name source packages. */
const bySource: ReadonlySet<string> = new Set(['Debian', 'Ubuntu', 'Echo', 'Alpine']);

/** The packages with the verdicts of the scanner. */
async function judged(
  deps: { request: Request },
  packages: readonly UnjudgedPackage[],
): Promise<PackageInUse[]> {
  const requests = new Map<string, VersionsToJudge>();
  for (const { toJudge } of packages)
    for (const one of toJudge) if (one) requests.set(JSON.stringify(one.request), one.request);
  const verdicts = await judgeVersions(deps, [...requests.values()]);
  const byRequest = new Map([...requests.keys()].map((key, at) => [key, verdicts[at] ?? []]));
  return packages.map(({ toJudge, ...found }) => ({
    ...found,
    components: found.components.map((component, at) => {
      const one = toJudge[at];
      const own = one && byRequest.get(JSON.stringify(one.request));
      const [current, ...others] = own ?? [];
      if (!one || !current) return component;
      const candidates = one.candidates.versions.flatMap((version, index) => {
        const verdict = others[index];
        return verdict ? [{ version, verdict }] : [];
      });
      return { ...component, judged: { current, candidates } };
    }),
  }));
}
