import { decisionOn } from './model-decisions';
import type { ModelAdvisory, ModelDecision, ModelProject, ModelSbom } from './model-facts';

/** The expected data of one vulnerability in one package of one service. */
export interface ModelVulnerability {
  service: string | null;
  package_name: string;
  /** Sorted. */
  names: string[];
  status: ModelDecision | 'fixed';
  /** Who determines the status; null: no decision, or it is fixed. */
  decided_by: 'manual' | 'vex' | 'rule' | null;
  severity: string;
  package_version: string;
  package_versions: string[];
  first_seen_at: string;
  last_seen_at: string;
  sbom_id: string;
}

/** A brief record of an SBOM. */
export interface ModelBrief {
  package: string;
  advisory_ids: string[];
  status: string;
  names: string[];
}

/** The vulnerabilities by docs/rules.md VU1 and VU2, each looked up in every SBOM. */
export function expectedVulnerabilities(project: ModelProject, now: number): ModelVulnerability[] {
  const services = [...new Set(project.sboms.map(({ service }) => service))];
  return services.flatMap((service) => {
    const sboms = project.sboms.filter((sbom) => sbom.service === service);
    const latest = sboms.at(-1);
    const packages = new Set(sboms.flatMap(({ components }) => components.map(nameOf)));
    return [...packages].flatMap((package_name) =>
      groupsOf(project.advisories).flatMap((group): ModelVulnerability[] => {
        const matches = (sbom: ModelSbom): string[] =>
          sbom.components.filter(
            (component) =>
              nameOf(component) === package_name && matchingAdvisories(group, component).length > 0,
          );
        const containing = sboms.filter((sbom) => matches(sbom).length > 0);
        const [first, last] = [containing[0], containing.at(-1)];
        if (!first || !last) return [];
        const names = namesOf(group);
        const versions = matches(last)
          .map(versionOf)
          .sort((a, b) => major(a) - major(b));
        const severities = matches(last).flatMap((component) =>
          matchingAdvisories(group, component).map(({ severity }) => severity),
        );
        const row = { service, package_name, names, versions, severity: worst(severities) };
        const decided = last === latest ? decisionOn(project, row, { sbom: last, now }) : null;
        return [
          {
            service,
            package_name,
            names,
            package_versions: versions,
            package_version: versions[0] ?? '',
            status: last !== latest ? 'fixed' : (decided?.decision ?? 'open'),
            decided_by: decided?.by ?? null,
            severity: row.severity,
            first_seen_at: first.created_at,
            last_seen_at: last.created_at,
            sbom_id: last.id,
          },
        ];
      }),
    );
  });
}

/** The expected brief records of an SBOM. */
export function expectedBriefs(
  project: ModelProject,
  sbom: ModelSbom,
  vulnerabilities: readonly ModelVulnerability[],
): ModelBrief[] {
  return sbom.components.flatMap((component) =>
    groupsOf(project.advisories).flatMap((group): ModelBrief[] => {
      const advisory_ids = matchingAdvisories(group, component).map(({ id }) => id);
      const names = namesOf(group);
      const vulnerability = vulnerabilities.find(
        (one) =>
          one.service === sbom.service &&
          one.package_name === nameOf(component) &&
          one.names.join() === names.join(),
      );
      if (advisory_ids.length === 0) return [];
      const status = vulnerability?.status ?? 'no row';
      return [{ package: component, advisory_ids: advisory_ids.sort(), status, names }];
    }),
  );
}

/** Groups advisories that share an id. */
function groupsOf(advisories: readonly ModelAdvisory[]): ModelAdvisory[][] {
  const groups: ModelAdvisory[][] = [];
  for (const advisory of advisories) {
    const own = [advisory.id, ...advisory.aliases];
    const linked = groups.filter((group) => namesOf(group).some((name) => own.includes(name)));
    for (const group of linked) groups.splice(groups.indexOf(group), 1);
    groups.push([...linked.flat(), advisory]);
  }
  return groups;
}

export function namesOf(group: readonly ModelAdvisory[]): string[] {
  return [...new Set(group.flatMap(({ id, aliases }) => [id, ...aliases]))].sort();
}

function matchingAdvisories(group: readonly ModelAdvisory[], component: string): ModelAdvisory[] {
  return group.filter(({ affects, withdrawn }) => !withdrawn && affects.includes(component));
}

function worst(severities: readonly string[]): string {
  return severities.includes('critical') ? 'critical' : 'medium';
}

const nameOf = (component: string): string => component.slice(0, component.lastIndexOf('@'));
const versionOf = (component: string): string => component.slice(component.lastIndexOf('@') + 1);
const major = (version: string): number => Number.parseInt(version, 10);
