import type { PackageUpgrade, RemediationView } from '@bomtrail/messages';
import { packageIdentity, parsePurl } from '@bomtrail/purl';
import { comparerOf } from '@bomtrail/versioning';
import { chooseUpgrade, namingOf, type Choice } from './choose-upgrade';
import type { ComponentInUse, OpenVulnerability, PackageInUse, PackageUse } from './package-in-use';
import { sumVulnerabilities } from './sum-vulnerabilities';
import { compareValues } from '../../tracking/domain/compare-values';
import { grouped } from '../../tracking/domain/grouped';

/** As `maxNamedServices`. */
const maxServices = 50;
/** As `maxNamedPurls`. */
const maxPurls = 50;

type Counted = Map<OpenVulnerability, number>;

/** What the plan says about the vulnerabilities of one service. */
interface UsePlan {
  use: PackageUse;
  closes: OpenVulnerability[];
  /** What further steps close in addition. */
  closesLater: OpenVulnerability[];
  remains: OpenVulnerability[];
}

/**
 * The plan for one package (RM1 to RM6, `chooseUpgrade`). A vulnerability of a service counts as closed if,
 * after all upgrades of the package, none of the service's versions is affected.
 */
export function planPackage(found: PackageInUse): RemediationView {
  const naming = namingOf(found.vulnerabilities);
  const affectedNow = found.components.map(({ judged }) => naming(judged?.current.affected ?? []));
  const open = openByComponent(found, affectedNow);
  const choices = found.components.map((component, index) =>
    chooseUpgrade(
      { ...component, ecosystem: found.ecosystem },
      { vulnerabilities: found.vulnerabilities, naming, open: open[index] ?? new Set() },
    ),
  );
  const after = (step: (choice: Choice) => Choice['first']): ReadonlySet<number>[] =>
    choices.map((choice, index) => {
      const chosen = step(choice);
      return chosen ? naming(chosen.verdict.affected) : (affectedNow[index] ?? new Set());
    });
  const afterFirst = after(({ first }) => first);
  const afterAll = after(({ first, further }) => further ?? first);
  const plans = found.uses.map((use) =>
    planUse(use, found.vulnerabilities, { affectedNow, afterFirst, afterAll }),
  );
  const withChoices = found.components.map((component, index) => ({
    component,
    choice: choices[index] as Choice,
  }));
  const later = count(plans, ({ closesLater }) => closesLater);
  return {
    package_name: found.package_name,
    ecosystem: found.ecosystem,
    purls: identitiesOf(found.components),
    is_direct: found.components.some(({ is_direct }) => is_direct),
    upgrades: upgradesOf(withChoices, found.ecosystem),
    closes: sumVulnerabilities(count(plans, ({ closes }) => closes)),
    remains: sumVulnerabilities(count(plans, ({ remains }) => remains)),
    major_step:
      later.size === 0
        ? null
        : {
            upgrades: furtherOf(withChoices, found.ecosystem),
            closes: sumVulnerabilities(later),
          },
    services: servicesOf(plans, found),
    service_count: found.uses.length,
  };
}

/** The open vulnerabilities of each component, over all services. */
function openByComponent(
  { components, uses }: PackageInUse,
  affectedNow: readonly ReadonlySet<number>[],
): Set<number>[] {
  const open = components.map(() => new Set<number>());
  for (const use of uses)
    for (const component of use.components)
      for (const vulnerability of use.vulnerabilities)
        if (affectedNow[component]?.has(vulnerability)) open[component]?.add(vulnerability);
  return open;
}

function planUse(
  use: PackageUse,
  vulnerabilities: readonly OpenVulnerability[],
  by: Record<'affectedNow' | 'afterFirst' | 'afterAll', readonly ReadonlySet<number>[]>,
): UsePlan {
  const plan: UsePlan = { use, closes: [], closesLater: [], remains: [] };
  for (const position of use.vulnerabilities) {
    const vulnerability = vulnerabilities[position];
    if (!vulnerability) continue;
    const affects = (sets: readonly ReadonlySet<number>[]): boolean =>
      use.components.some((component) => sets[component]?.has(position));
    // What no component explains stays: its plan would be a guess.
    const isExplained = affects(by.affectedNow);
    if (isExplained && !affects(by.afterFirst)) plan.closes.push(vulnerability);
    else plan.remains.push(vulnerability);
    if (isExplained && affects(by.afterFirst) && !affects(by.afterAll))
      plan.closesLater.push(vulnerability);
  }
  return plan;
}

function count(
  plans: readonly UsePlan[],
  part: (plan: UsePlan) => readonly OpenVulnerability[],
): Counted {
  const counted: Counted = new Map();
  for (const plan of plans)
    for (const one of part(plan)) counted.set(one, (counted.get(one) ?? 0) + 1);
  return counted;
}

type Chosen = { component: ComponentInUse; choice: Choice };

/** Versions that go the same way are one upgrade; upgrades first, then by version. */
function upgradesOf(all: readonly Chosen[], ecosystem: string): PackageUpgrade[] {
  const groups = groupBy(all, ({ component, choice }) => [
    component.release,
    component.source_package,
    choice.first?.version,
    choice.reason,
    choice.refused,
  ]);
  const upgrades = groups.map((same): PackageUpgrade => {
    const [{ component, choice }] = same;
    return {
      release: component.release,
      source_package: component.source_package,
      from: versionsOf(same, ecosystem),
      to: choice.first?.version ?? null,
      is_major: choice.isMajor,
      reason: choice.reason,
      refused: choice.refused,
    };
  });
  return upgrades.sort((a, b) => Number(a.to === null) - Number(b.to === null));
}

function furtherOf(
  all: readonly Chosen[],
  ecosystem: string,
): NonNullable<RemediationView['major_step']>['upgrades'] {
  const groups = groupBy(
    all.filter(({ choice }) => choice.further !== null),
    ({ component, choice }) => [
      component.release,
      component.source_package,
      choice.further?.version,
    ],
  );
  return groups.map((same) => {
    const [{ component, choice }] = same;
    const { release, source_package } = component;
    const to = choice.further?.version ?? '';
    return { release, source_package, from: versionsOf(same, ecosystem), to };
  });
}

function groupBy(all: readonly Chosen[], key: (one: Chosen) => unknown[]): [Chosen, ...Chosen[]][] {
  const groups = grouped(all, (one) => JSON.stringify(key(one)));
  return [...groups.values()] as [Chosen, ...Chosen[]][];
}

function versionsOf(same: readonly Chosen[], ecosystem: string): string[] {
  return sortedVersions(
    same.map(({ component }) => component.package_version),
    ecosystem,
  );
}

function sortedVersions(versions: readonly string[], ecosystem: string): string[] {
  const compare = comparerOf(ecosystem);
  return [...new Set(versions)].sort((a, b) => compare?.(a, b) || compareValues(a, b));
}

/** Packages of one Go module have purls of their own. */
function identitiesOf(components: readonly ComponentInUse[]): string[] {
  const identities = components.flatMap(({ purl }) => {
    const parsed = parsePurl(purl);
    return parsed ? [packageIdentity(parsed)] : [];
  });
  return [...new Set(identities)].sort().slice(0, maxPurls);
}

function servicesOf(plans: readonly UsePlan[], found: PackageInUse): RemediationView['services'] {
  const riskOf = (some: readonly OpenVulnerability[]): number =>
    some.reduce((sum, { risk }) => sum + (risk ?? 0), 0);
  return plans
    .map((plan) => ({ plan, closed: riskOf(plan.closes), left: riskOf(plan.remains) }))
    .sort(
      (a, b) =>
        b.closed - a.closed ||
        b.left - a.left ||
        compareValues(a.plan.use.service_id, b.plan.use.service_id),
    )
    .slice(0, maxServices)
    .map(({ plan: { use, closes, remains } }) => {
      const components = use.components.flatMap((one) => found.components[one] ?? []);
      return {
        service_id: use.service_id,
        project_id: use.project_id,
        sbom_id: use.sbom_id,
        versions: sortedVersions(
          components.map(({ package_version }) => package_version),
          found.ecosystem,
        ),
        purl: components[0]?.purl ?? '',
        is_direct: components.some(({ is_direct }) => is_direct),
        closes: closes.length,
        remains: remains.length,
      };
    });
}

/** RM7: most risk removed first, then most vulnerabilities closed, most risk left, and by name. */
export function compareRemediations(a: RemediationView, b: RemediationView): number {
  return (
    b.closes.risk - a.closes.risk ||
    b.closes.total - a.closes.total ||
    b.remains.risk - a.remains.risk ||
    b.remains.total - a.remains.total ||
    compareValues(a.package_name, b.package_name) ||
    compareValues(a.ecosystem, b.ecosystem)
  );
}
